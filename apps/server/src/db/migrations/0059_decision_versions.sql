ALTER TABLE "domain_name_blacklist_hit" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "domain_name_blacklist_hit" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "site_violation" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;