ALTER TABLE "product" ADD COLUMN "prompts" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "site" ADD COLUMN "status_reason" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "site" ADD COLUMN "resume_status" text;--> statement-breakpoint
ALTER TABLE "site" ADD COLUMN "cname_label" text DEFAULT substr(replace(gen_random_uuid()::text, '-', ''), 1, 12) NOT NULL;--> statement-breakpoint
ALTER TABLE "site" ADD COLUMN "proof_token" text DEFAULT substr(replace(gen_random_uuid()::text, '-', ''), 1, 32) NOT NULL;--> statement-breakpoint
ALTER TABLE "site" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "site_domain" ADD COLUMN "proof" text DEFAULT 'given' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_domain" ADD COLUMN "verdict" text;--> statement-breakpoint
ALTER TABLE "site_domain" ADD COLUMN "seen" jsonb;--> statement-breakpoint
ALTER TABLE "site_domain" ADD COLUMN "checked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "site_domain" ADD COLUMN "checks" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "site_domain" ADD COLUMN "next_check_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "site_domain" ADD COLUMN "check_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "site_status_index" ON "site" USING btree ("status") WHERE "site"."status" <> 'online';--> statement-breakpoint
CREATE INDEX "site_removed_at_index" ON "site" USING btree ("removed_at") WHERE "site"."removed_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "site_domain_next_check_at_index" ON "site_domain" USING btree ("next_check_at") WHERE "site_domain"."next_check_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "site" ADD CONSTRAINT "site_cname_label_unique" UNIQUE("cname_label");