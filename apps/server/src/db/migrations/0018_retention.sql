ALTER TABLE "sub_task" ALTER COLUMN "id" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "sub_task" ALTER COLUMN "id" SET MAXVALUE 9223372036854775807;--> statement-breakpoint
ALTER TABLE "node" ADD COLUMN "log_lines_foreign" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "site_revision_created_at_index" ON "site_revision" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "task_finished_at_index" ON "task" USING btree ("finished_at");--> statement-breakpoint
-- The order that the first start made has no end; those that operators made keep theirs.
UPDATE "order" SET "end_at" = '9999-12-31T23:59:59Z'
WHERE "id" = (SELECT ("value" #>> '{}')::integer FROM "setting" WHERE "key" = 'default_order_id' AND jsonb_typeof("value") = 'number');--> statement-breakpoint
-- Names whose last check was broken off by the end of a server wait for nothing: they are checked once more.
UPDATE "site_domain" SET "next_check_at" = now() WHERE "proof" = 'waiting' AND "next_check_at" IS NULL;
