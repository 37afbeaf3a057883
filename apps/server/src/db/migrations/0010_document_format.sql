ALTER TABLE "edge_document" ADD COLUMN "format" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "edge_document_key_index" ON "edge_document" USING btree ("key") WHERE "edge_document"."format" = 0;--> statement-breakpoint
UPDATE "edge_document" SET "format" = 0 WHERE "kind" = 'site' AND NOT "deleted" AND "body" NOT LIKE '%"product_id":%';
