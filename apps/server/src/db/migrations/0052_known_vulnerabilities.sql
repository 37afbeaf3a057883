CREATE TABLE "known_vulnerability" (
	"id" integer PRIMARY KEY NOT NULL,
	"edition" jsonb,
	"source" text DEFAULT 'shipped' NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"key" text DEFAULT '' NOT NULL,
	"taken_at" timestamp (3) with time zone,
	"shipped_version" integer DEFAULT 0 NOT NULL,
	"tried_at" timestamp (3) with time zone,
	"last_error" text DEFAULT '' NOT NULL,
	"published_version" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
-- Data, by hand: sites and levels whose attack detection is on need the rules; the first job sends them.
INSERT INTO "edge_use" SELECT 'site', "id", 'known_vulnerability', 'rules' FROM "site" WHERE "removed_at" IS NULL AND coalesce("config"->'used_system_rule'->>'mode', 'off') <> 'off';--> statement-breakpoint
INSERT INTO "edge_use" SELECT 'level', "id", 'known_vulnerability', 'rules' FROM "site_level" WHERE coalesce("values"->'used_system_rule'->>'mode', 'off') <> 'off';
