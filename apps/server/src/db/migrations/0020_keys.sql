CREATE TABLE "installation_key" (
	"id" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seal_progress" (
	"key_id" text NOT NULL,
	"place" text NOT NULL,
	"position" text DEFAULT '' NOT NULL,
	"rows_sealed" integer DEFAULT 0 NOT NULL,
	"done" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "seal_progress_key_id_place_pk" PRIMARY KEY("key_id","place")
);
--> statement-breakpoint
ALTER TABLE "setting" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;