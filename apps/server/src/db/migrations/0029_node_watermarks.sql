CREATE TABLE "node_page" (
	"node_id" integer PRIMARY KEY NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"since" bigint DEFAULT 0 NOT NULL,
	"until" bigint DEFAULT 0 NOT NULL,
	"is_last" boolean DEFAULT true NOT NULL,
	"is_from_nothing" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "node_watermark" (
	"node_id" integer NOT NULL,
	"line_group_id" integer NOT NULL,
	"live_revision" bigint DEFAULT 0 NOT NULL,
	"deleted_revision" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "node_watermark_node_id_line_group_id_pk" PRIMARY KEY("node_id","line_group_id")
);
--> statement-breakpoint
ALTER TABLE "edge_document" ADD COLUMN "first_revision" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "edge_document" ADD COLUMN "former" bigint[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "node_page" ADD CONSTRAINT "node_page_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "node_watermark" ADD CONSTRAINT "node_watermark_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "node_watermark" ADD CONSTRAINT "node_watermark_line_group_id_line_group_id_fk" FOREIGN KEY ("line_group_id") REFERENCES "public"."line_group"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "node_document_node_id_seen_revision_index" ON "node_document" USING btree ("node_id","seen_revision") WHERE "node_document"."status" = 'applied';--> statement-breakpoint
-- Data, by hand: which revisions came before, as far as nodes still have them.
UPDATE "edge_document" SET "first_revision" = "revision";--> statement-breakpoint
UPDATE "edge_document" d SET "first_revision" = f."former"[1], "former" = f."former"[greatest(1, cardinality(f."former") - 31):] FROM (SELECT e."kind", e."key", e."line_group_id", array_agg(DISTINCT a."active_revision" ORDER BY a."active_revision") AS "former" FROM "node_document" a JOIN "node_line_group" l ON l."node_id" = a."node_id" JOIN "edge_document" e ON e."kind" = a."kind" AND e."key" = a."key" AND e."line_group_id" = l."line_group_id" WHERE a."active_revision" < e."revision" GROUP BY e."kind", e."key", e."line_group_id") f WHERE d."kind" = f."kind" AND d."key" = f."key" AND d."line_group_id" = f."line_group_id";--> statement-breakpoint
-- In each group a node has judged all up to the first document that it has not; deleted ones only if it had them.
INSERT INTO "node_watermark" SELECT l."node_id", l."line_group_id", coalesce(min(d."revision") FILTER (WHERE NOT d."deleted" AND coalesce(a."seen_revision", 0) < d."revision") - 1, c."revision"), coalesce(min(d."revision") FILTER (WHERE d."deleted" AND a."seen_revision" < d."revision") - 1, c."revision") FROM "node_line_group" l JOIN "node" n ON n."id" = l."node_id" AND n."enabled" CROSS JOIN (SELECT coalesce(max("revision"), 0) AS "revision" FROM "delivery_counter") c LEFT JOIN "edge_document" d ON d."line_group_id" = l."line_group_id" LEFT JOIN "node_document" a ON a."node_id" = l."node_id" AND a."kind" = d."kind" AND a."key" = d."key" GROUP BY l."node_id", l."line_group_id", c."revision";--> statement-breakpoint
-- A node that claims to be further than that starts from nothing; every other goes on.
INSERT INTO "node_page" ("node_id", "generation", "since", "until") SELECT n."id", n."generation", p."revision", p."revision" FROM "node" n CROSS JOIN LATERAL (SELECT coalesce(min(least(w."live_revision", w."deleted_revision")), (SELECT max("revision") FROM "delivery_counter"), 0) AS "revision" FROM "node_watermark" w WHERE w."node_id" = n."id") p;--> statement-breakpoint
DELETE FROM "node_document" a USING "node_page" p WHERE p."node_id" = a."node_id" AND a."status" = 'applied' AND a."seen_revision" <= p."until";
