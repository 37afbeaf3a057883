ALTER TABLE "certificate_order" ALTER COLUMN "client_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "certificate" ALTER COLUMN "client_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "certificate_order" ADD COLUMN "answers" jsonb;