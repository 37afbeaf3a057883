ALTER TABLE "served_check" ADD COLUMN "staple_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "served_fault" ADD COLUMN "staple_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "served_fault" ADD COLUMN "staple_until" timestamp (3) with time zone;