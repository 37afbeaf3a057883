DROP INDEX "certificate_order_site_unique";--> statement-breakpoint
ALTER TABLE "certificate_order" ADD COLUMN "part" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "certificate" ADD COLUMN "group_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "certificate_order_part_unique" ON "certificate_order" USING btree ("site_id","part");