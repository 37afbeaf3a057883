CREATE TABLE "site_refresh_found" (
	"pattern_id" integer NOT NULL,
	"digest" text NOT NULL,
	CONSTRAINT "site_refresh_found_pattern_id_digest_pk" PRIMARY KEY("pattern_id","digest")
);
--> statement-breakpoint
CREATE TABLE "site_refresh_pattern" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_refresh_pattern_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"site_id" integer NOT NULL,
	"operation_id" integer NOT NULL,
	"pattern" text NOT NULL,
	"mode" text NOT NULL,
	"rate" integer NOT NULL,
	"found" integer DEFAULT 0 NOT NULL,
	"nodes" jsonb NOT NULL,
	"created_by" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "site_refresh_found" ADD CONSTRAINT "site_refresh_found_pattern_id_site_refresh_pattern_id_fk" FOREIGN KEY ("pattern_id") REFERENCES "public"."site_refresh_pattern"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_refresh_pattern" ADD CONSTRAINT "site_refresh_pattern_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_refresh_pattern" ADD CONSTRAINT "site_refresh_pattern_operation_id_operation_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_refresh_pattern_site_id_index" ON "site_refresh_pattern" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "site_refresh_pattern_operation_id_index" ON "site_refresh_pattern" USING btree ("operation_id");