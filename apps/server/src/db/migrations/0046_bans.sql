CREATE TABLE "ban_segment" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ban_segment_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"placed" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "site_reject" ALTER COLUMN "site_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "site_reject" ADD COLUMN "scope" text DEFAULT 'site' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_reject" ADD COLUMN "client_id" integer;--> statement-breakpoint
ALTER TABLE "site_reject" ADD COLUMN "reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_reject" ADD COLUMN "request_id" text;--> statement-breakpoint
ALTER TABLE "site_reject" ADD COLUMN "created_by" text;--> statement-breakpoint
ALTER TABLE "site_reject" ADD COLUMN "repeats" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "site_reject" ADD COLUMN "kernel" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "site_reject" ADD COLUMN "segment_id" integer;--> statement-breakpoint
ALTER TABLE "site_reject" ADD CONSTRAINT "site_reject_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_reject" ADD CONSTRAINT "site_reject_segment_id_ban_segment_id_fk" FOREIGN KEY ("segment_id") REFERENCES "public"."ban_segment"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_reject_client_id_created_at_index" ON "site_reject" USING btree ("client_id","created_at");--> statement-breakpoint
CREATE INDEX "site_reject_remote_addr_index" ON "site_reject" USING btree ("remote_addr");--> statement-breakpoint
CREATE INDEX "site_reject_segment_id_index" ON "site_reject" USING btree ("segment_id");--> statement-breakpoint
CREATE INDEX "site_reject_standing" ON "site_reject" USING btree ("expires_at") WHERE "site_reject"."released_at" IS NULL;--> statement-breakpoint
UPDATE "site_reject" r SET "client_id" = s."client_id" FROM "site" s WHERE s."id" = r."site_id";--> statement-breakpoint
ALTER TABLE "site_reject" ADD CONSTRAINT "site_reject_scope" CHECK (CASE "site_reject"."scope" WHEN 'site' THEN "site_reject"."site_id" IS NOT NULL AND "site_reject"."client_id" IS NOT NULL
        WHEN 'client' THEN "site_reject"."site_id" IS NULL AND "site_reject"."client_id" IS NOT NULL
        ELSE "site_reject"."site_id" IS NULL AND "site_reject"."client_id" IS NULL END);