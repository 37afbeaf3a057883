CREATE TABLE "refresh_use" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "refresh_use_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer NOT NULL,
	"quota" text NOT NULL,
	"used" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_prefetch" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_prefetch_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"site_id" integer NOT NULL,
	"client_id" integer NOT NULL,
	"operation_id" integer NOT NULL,
	"sitemap" text NOT NULL,
	"concurrency" integer NOT NULL,
	"rate" integer NOT NULL,
	"encodings" text[] NOT NULL,
	"languages" text[] NOT NULL,
	"playlists" boolean NOT NULL,
	"limited" boolean NOT NULL,
	"truncated" boolean DEFAULT false NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_prefetch_node" (
	"prefetch_id" integer NOT NULL,
	"node_id" integer NOT NULL,
	"misses" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "site_prefetch_node_prefetch_id_node_id_pk" PRIMARY KEY("prefetch_id","node_id")
);
--> statement-breakpoint
CREATE TABLE "site_prefetch_result" (
	"prefetch_id" integer NOT NULL,
	"url_id" bigint NOT NULL,
	"node_id" integer NOT NULL,
	"variant" smallint NOT NULL,
	"status" smallint,
	"bytes" bigint NOT NULL,
	"milliseconds" integer NOT NULL,
	"cache" text NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_prefetch_result_url_id_node_id_variant_pk" PRIMARY KEY("url_id","node_id","variant")
);
--> statement-breakpoint
CREATE TABLE "site_prefetch_url" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_prefetch_url_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"prefetch_id" integer NOT NULL,
	"url" text NOT NULL,
	"follow" text
);
--> statement-breakpoint
ALTER TABLE "refresh_use" ADD CONSTRAINT "refresh_use_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_prefetch" ADD CONSTRAINT "site_prefetch_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_prefetch" ADD CONSTRAINT "site_prefetch_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_prefetch" ADD CONSTRAINT "site_prefetch_operation_id_operation_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_prefetch_node" ADD CONSTRAINT "site_prefetch_node_prefetch_id_site_prefetch_id_fk" FOREIGN KEY ("prefetch_id") REFERENCES "public"."site_prefetch"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_prefetch_node" ADD CONSTRAINT "site_prefetch_node_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_prefetch_result" ADD CONSTRAINT "site_prefetch_result_prefetch_id_site_prefetch_id_fk" FOREIGN KEY ("prefetch_id") REFERENCES "public"."site_prefetch"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_prefetch_result" ADD CONSTRAINT "site_prefetch_result_url_id_site_prefetch_url_id_fk" FOREIGN KEY ("url_id") REFERENCES "public"."site_prefetch_url"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_prefetch_result" ADD CONSTRAINT "site_prefetch_result_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_prefetch_url" ADD CONSTRAINT "site_prefetch_url_prefetch_id_site_prefetch_id_fk" FOREIGN KEY ("prefetch_id") REFERENCES "public"."site_prefetch"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refresh_use_client_id_quota_created_at_index" ON "refresh_use" USING btree ("client_id","quota","created_at");--> statement-breakpoint
CREATE INDEX "refresh_use_created_at_index" ON "refresh_use" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "site_prefetch_client_id_id_index" ON "site_prefetch" USING btree ("client_id","id");--> statement-breakpoint
CREATE INDEX "site_prefetch_site_id_id_index" ON "site_prefetch" USING btree ("site_id","id");--> statement-breakpoint
CREATE INDEX "site_prefetch_operation_id_index" ON "site_prefetch" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "site_prefetch_result_prefetch_id_created_at_index" ON "site_prefetch_result" USING btree ("prefetch_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "site_prefetch_url_once" ON "site_prefetch_url" USING btree ("prefetch_id",md5("url"));