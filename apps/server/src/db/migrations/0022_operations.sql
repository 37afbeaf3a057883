-- What the queue held is in the tables: batches and exports that are not finished go on as operations.
DROP SCHEMA IF EXISTS "pgboss" CASCADE;--> statement-breakpoint
ALTER TABLE "task" RENAME TO "operation";--> statement-breakpoint
ALTER TABLE "operation" RENAME CONSTRAINT "task_pkey" TO "operation_pkey";--> statement-breakpoint
ALTER SEQUENCE "task_id_seq" RENAME TO "operation_id_seq";--> statement-breakpoint
ALTER TABLE "operation" RENAME COLUMN "type" TO "kind";--> statement-breakpoint
ALTER TABLE "operation" RENAME COLUMN "object_kind" TO "subject_kind";--> statement-breakpoint
ALTER TABLE "operation" RENAME COLUMN "object_id" TO "subject_id";--> statement-breakpoint
ALTER TABLE "operation" RENAME COLUMN "status" TO "state";--> statement-breakpoint
ALTER TABLE "operation" ALTER COLUMN "subject_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "operation" ADD COLUMN "total" integer;--> statement-breakpoint
ALTER TABLE "operation" ADD COLUMN "progress" integer;--> statement-breakpoint
ALTER TABLE "operation" ADD COLUMN "next_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operation" ADD COLUMN "cancel_requested_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operation" ADD COLUMN "author_type" text;--> statement-breakpoint
ALTER TABLE "operation" ADD COLUMN "author_id" integer;--> statement-breakpoint
ALTER INDEX "task_object_kind_object_id_index" RENAME TO "operation_subject_kind_subject_id_index";--> statement-breakpoint
ALTER INDEX "task_status_index" RENAME TO "operation_state_index";--> statement-breakpoint
ALTER INDEX "task_finished_at_index" RENAME TO "operation_finished_at_index";--> statement-breakpoint
UPDATE "operation" o SET "client_id" = NULL WHERE "client_id" IS NOT NULL AND NOT EXISTS (SELECT FROM "client" c WHERE c."id" = o."client_id");--> statement-breakpoint
ALTER TABLE "operation" ADD CONSTRAINT "operation_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operation_client_id_index" ON "operation" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "operation_next_at_index" ON "operation" USING btree ("next_at") WHERE "operation"."next_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "sub_task" RENAME TO "operation_item";--> statement-breakpoint
ALTER TABLE "operation_item" RENAME CONSTRAINT "sub_task_pkey" TO "operation_item_pkey";--> statement-breakpoint
ALTER SEQUENCE "sub_task_id_seq" RENAME TO "operation_item_id_seq";--> statement-breakpoint
ALTER TABLE "operation_item" RENAME COLUMN "task_id" TO "operation_id";--> statement-breakpoint
ALTER TABLE "operation_item" RENAME COLUMN "status" TO "state";--> statement-breakpoint
ALTER TABLE "operation_item" RENAME CONSTRAINT "sub_task_task_id_task_id_fk" TO "operation_item_operation_id_operation_id_fk";--> statement-breakpoint
ALTER TABLE "operation_item" RENAME CONSTRAINT "sub_task_node_id_node_id_fk" TO "operation_item_node_id_node_id_fk";--> statement-breakpoint
ALTER TABLE "operation_item" ALTER COLUMN "node_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "operation_item" ALTER COLUMN "revision" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "operation_item" ALTER COLUMN "key" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "operation_item" ALTER COLUMN "error" SET DATA TYPE jsonb USING CASE WHEN "error" IS NOT NULL THEN jsonb_build_object('text', "error") END;--> statement-breakpoint
ALTER TABLE "operation_item" ADD COLUMN "position" integer;--> statement-breakpoint
ALTER TABLE "operation_item" ADD COLUMN "title" text;--> statement-breakpoint
ALTER TABLE "operation_item" ADD COLUMN "attempt" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "operation_item" ADD COLUMN "next_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operation_item" ADD COLUMN "claim" uuid;--> statement-breakpoint
ALTER INDEX "sub_task_node_id_kind_key_status_index" RENAME TO "operation_item_node_id_kind_key_state_index";--> statement-breakpoint
DROP INDEX "sub_task_task_id_index";--> statement-breakpoint
CREATE INDEX "operation_item_operation_id_state_index" ON "operation_item" USING btree ("operation_id","state");--> statement-breakpoint
CREATE INDEX "operation_item_operation_id_id_index" ON "operation_item" USING btree ("operation_id","id") WHERE "operation_item"."next_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "operation_item_claim_index" ON "operation_item" USING btree ("claim") WHERE "operation_item"."claim" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "site_batch" ADD COLUMN "operation_id" integer;--> statement-breakpoint
UPDATE "site_batch" SET "operation_id" = "id" + (SELECT coalesce(max("id"), 0) FROM "operation");--> statement-breakpoint
INSERT INTO "operation" ("id", "kind", "title", "subject_kind", "client_id", "state", "next_at", "author_type", "author_id", "created_by", "created_at", "finished_at")
  OVERRIDING SYSTEM VALUE
  SELECT b."operation_id", 'site_batch',
    coalesce(l."first", '') || CASE WHEN l."lines" > 1 THEN ' (+' || l."lines" - 1 || ')' ELSE '' END, 'site_batch', b."client_id",
    CASE WHEN b."finished_at" IS NULL THEN 'running' WHEN l."failed" > 0 THEN 'failed' ELSE 'done' END,
    CASE WHEN b."finished_at" IS NULL THEN now() END, b."author_type", b."author_id", b."author_name", b."created_at", b."finished_at"
  FROM "site_batch" b CROSS JOIN LATERAL (
    SELECT count(*) AS "lines", count(*) FILTER (WHERE "status" = 'failed') AS "failed",
      (array_agg("text" ORDER BY "position"))[1] AS "first"
    FROM "site_batch_line" WHERE "batch_id" = b."id") l;--> statement-breakpoint
INSERT INTO "operation_item" ("operation_id", "position", "title", "kind", "key", "state", "next_at", "error", "created_at", "finished_at")
  SELECT b."operation_id", l."position", l."text", 'site', coalesce(l."site_id"::text, ''), l."status",
    CASE WHEN l."status" = 'pending' THEN now() END, l."error", b."created_at", l."finished_at"
  FROM "site_batch_line" l JOIN "site_batch" b ON b."id" = l."batch_id" ORDER BY b."id", l."position";--> statement-breakpoint
DROP TABLE "site_batch_line";--> statement-breakpoint
ALTER TABLE "site_batch" DROP COLUMN "id", DROP COLUMN "client_id", DROP COLUMN "author_type", DROP COLUMN "author_id",
  DROP COLUMN "author_name", DROP COLUMN "created_at", DROP COLUMN "finished_at";--> statement-breakpoint
ALTER TABLE "site_batch" ADD PRIMARY KEY ("operation_id");--> statement-breakpoint
ALTER TABLE "site_batch" ADD CONSTRAINT "site_batch_operation_id_operation_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_export" ADD COLUMN "operation_id" integer;--> statement-breakpoint
UPDATE "data_export" SET "operation_id" = "id" + (SELECT coalesce(max("id"), 0) FROM "operation");--> statement-breakpoint
INSERT INTO "operation" ("id", "kind", "title", "subject_kind", "state", "total", "progress", "next_at", "created_by", "created_at", "finished_at")
  OVERRIDING SYSTEM VALUE
  SELECT "operation_id", 'data_export', 'access-log.' || "format", 'access_log',
    CASE WHEN "status" IN ('pending', 'running') THEN 'pending' ELSE "status" END, "records_total", "records_done",
    CASE WHEN "status" IN ('pending', 'running') THEN now() END, "created_by", "created_at", "finished_at"
  FROM "data_export";--> statement-breakpoint
INSERT INTO "operation_item" ("operation_id", "kind", "state", "next_at", "error", "created_at", "finished_at")
  SELECT "id", 'access_log', "state", "next_at",
    CASE WHEN "state" = 'failed' THEN '{"error":"internal","fields":[]}'::jsonb END, "created_at", "finished_at"
  FROM "operation" WHERE "kind" = 'data_export';--> statement-breakpoint
ALTER TABLE "data_export" DROP COLUMN "id", DROP COLUMN "status", DROP COLUMN "records_total", DROP COLUMN "records_done",
  DROP COLUMN "created_by", DROP COLUMN "created_at", DROP COLUMN "finished_at";--> statement-breakpoint
ALTER TABLE "data_export" ADD PRIMARY KEY ("operation_id");--> statement-breakpoint
ALTER TABLE "data_export" ADD CONSTRAINT "data_export_operation_id_operation_id_fk" FOREIGN KEY ("operation_id") REFERENCES "public"."operation"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
SELECT setval('operation_id_seq', (SELECT coalesce(max("id"), 0) + 1 FROM "operation"), false);--> statement-breakpoint
CREATE TABLE "schedule" (
	"name" text PRIMARY KEY NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"claim" uuid,
	"last_at" timestamp (3) with time zone,
	"last_milliseconds" integer,
	"last_error" text
);
