CREATE TABLE "event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"place" bigint,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" integer,
	"subject_name" text DEFAULT '' NOT NULL,
	"client_id" integer,
	"site_id" integer GENERATED ALWAYS AS (CASE WHEN subject_kind = 'site' THEN subject_id END) STORED,
	"actor_type" text NOT NULL,
	"actor_id" integer,
	"actor_name" text NOT NULL,
	"program" text DEFAULT '' NOT NULL,
	"data" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_consumer" (
	"name" text PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"careful_until" bigint DEFAULT 0 NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_error" text
);
--> statement-breakpoint
CREATE UNIQUE INDEX "event_place_index" ON "event" USING btree ("place");--> statement-breakpoint
CREATE INDEX "event_id_index" ON "event" USING btree ("id") WHERE "event"."place" IS NULL;--> statement-breakpoint
CREATE INDEX "event_subject_kind_subject_id_id_index" ON "event" USING btree ("subject_kind","subject_id","id");--> statement-breakpoint
CREATE INDEX "event_at_index" ON "event" USING btree ("at");