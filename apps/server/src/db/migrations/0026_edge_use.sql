CREATE TABLE "edge_use" (
	"user_kind" text NOT NULL,
	"user_id" integer NOT NULL,
	"dep_kind" text NOT NULL,
	"dep_key" text NOT NULL,
	CONSTRAINT "edge_use_user_kind_user_id_dep_kind_dep_key_pk" PRIMARY KEY("user_kind","user_id","dep_kind","dep_key")
);
--> statement-breakpoint
-- Data, by hand: what sites and levels use, from the tables that go below; who asks for places, from what they say.
INSERT INTO "edge_use" SELECT 'site', "site_id", 'certificate', "certificate_id"::text FROM "site_certificate";--> statement-breakpoint
INSERT INTO "edge_use" SELECT 'site', "site_id", 'address_list', "address_list_id"::text FROM "site_address_list";--> statement-breakpoint
INSERT INTO "edge_use" SELECT 'level', "level_id", 'address_list', "address_list_id"::text FROM "level_address_list";--> statement-breakpoint
INSERT INTO "edge_use" SELECT 'site', "id", 'ip_data', 'ip' FROM "site" WHERE "removed_at" IS NULL AND "config" @? '$.** ? (@.field == "country" || @.field == "province" || @.field == "carrier" || @.field == "asn" || exists(@.countries[*]) || exists(@.provinces[*]) || exists(@.carriers[*]))';--> statement-breakpoint
INSERT INTO "edge_use" SELECT 'level', "id", 'ip_data', 'ip' FROM "site_level" WHERE "values" @? '$.** ? (@.field == "country" || @.field == "province" || @.field == "carrier" || @.field == "asn" || exists(@.countries[*]) || exists(@.provinces[*]) || exists(@.carriers[*]))';--> statement-breakpoint
-- End of the data.
DROP TABLE "level_address_list" CASCADE;--> statement-breakpoint
DROP TABLE "site_address_list" CASCADE;--> statement-breakpoint
DROP TABLE "site_certificate" CASCADE;--> statement-breakpoint
CREATE INDEX "edge_use_dep_kind_dep_key_user_kind_user_id_index" ON "edge_use" USING btree ("dep_kind","dep_key","user_kind","user_id");
--> statement-breakpoint
ALTER TABLE "operation" ADD COLUMN "parts_awaited" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "operation" ADD COLUMN "parts_refused" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Data, by hand: the counts of what is under way and of what was refused.
UPDATE "operation" o SET "parts_awaited" = s.awaited, "parts_refused" = s.refused FROM (SELECT "operation_id", count(*) FILTER (WHERE "state" = 'pending') AS awaited, count(*) FILTER (WHERE "state" = 'failed') AS refused FROM "operation_item" WHERE "node_id" IS NOT NULL AND "state" IN ('pending', 'failed') GROUP BY "operation_id") s WHERE o."id" = s."operation_id";
