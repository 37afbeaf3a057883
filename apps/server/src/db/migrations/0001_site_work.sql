-- Searching by part of a domain or an address of an origin; the extension comes with PostgreSQL.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "site_batch" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_batch_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer,
	"kind" text NOT NULL,
	"input" jsonb NOT NULL,
	"author_type" text NOT NULL,
	"author_id" integer NOT NULL,
	"author_name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "site_batch_line" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_batch_line_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"batch_id" integer NOT NULL,
	"position" integer NOT NULL,
	"text" text NOT NULL,
	"site_id" integer,
	"status" text DEFAULT 'pending' NOT NULL,
	"error" jsonb,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "site_tag" (
	"site_id" integer NOT NULL,
	"tag_id" integer NOT NULL,
	CONSTRAINT "site_tag_site_id_tag_id_pk" PRIMARY KEY("site_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "tag" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tag_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tag_client_name_unique" UNIQUE NULLS NOT DISTINCT("client_id","name")
);
--> statement-breakpoint
ALTER TABLE "site_batch" ADD CONSTRAINT "site_batch_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_batch_line" ADD CONSTRAINT "site_batch_line_batch_id_site_batch_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."site_batch"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_tag" ADD CONSTRAINT "site_tag_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_tag" ADD CONSTRAINT "site_tag_tag_id_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tag"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tag" ADD CONSTRAINT "tag_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_batch_client_id_index" ON "site_batch" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "site_batch_id_index" ON "site_batch" USING btree ("id") WHERE "site_batch"."finished_at" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "site_batch_line_batch_id_position_index" ON "site_batch_line" USING btree ("batch_id","position");--> statement-breakpoint
CREATE INDEX "site_batch_line_batch_id_status_position_index" ON "site_batch_line" USING btree ("batch_id","status","position");--> statement-breakpoint
CREATE INDEX "site_tag_tag_id_index" ON "site_tag" USING btree ("tag_id");--> statement-breakpoint
CREATE INDEX "site_origin_part_index" ON "site" USING gin (("config"->'origin_server_config'->>'origins') gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "site_domain_part_index" ON "site_domain" USING gin ("domain" gin_trgm_ops);