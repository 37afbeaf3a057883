ALTER TABLE "site_prefetch" ADD COLUMN "author_type" text;--> statement-breakpoint
ALTER TABLE "site_refresh" ADD COLUMN "author_type" text;--> statement-breakpoint
ALTER TABLE "site_refresh_pattern" ADD COLUMN "author_type" text;--> statement-breakpoint
ALTER TABLE "site_reject" ADD COLUMN "author_type" text;--> statement-breakpoint
ALTER TABLE "site_reject" ADD COLUMN "releaser_type" text;--> statement-breakpoint
UPDATE "site_prefetch" SET "author_type" = 'admin' WHERE "created_by" IN (SELECT "username" FROM "admin_user");--> statement-breakpoint
UPDATE "site_refresh" SET "author_type" = 'admin' WHERE "created_by" IN (SELECT "username" FROM "admin_user");--> statement-breakpoint
UPDATE "site_refresh_pattern" SET "author_type" = 'admin' WHERE "created_by" IN (SELECT "username" FROM "admin_user");--> statement-breakpoint
UPDATE "site_reject" SET "author_type" = 'admin' WHERE "created_by" IN (SELECT "username" FROM "admin_user");--> statement-breakpoint
UPDATE "site_reject" SET "releaser_type" = 'admin' WHERE "released_by" IN (SELECT "username" FROM "admin_user");
