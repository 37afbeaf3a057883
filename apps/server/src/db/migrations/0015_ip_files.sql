CREATE TABLE "ip_file" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ip_file_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"content" "bytea" NOT NULL,
	"report" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ip_source" (
	"part" text PRIMARY KEY NOT NULL,
	"file_id" integer NOT NULL,
	"attribution" text NOT NULL,
	"url" text NOT NULL,
	"interval_seconds" integer NOT NULL,
	"fetched_at" timestamp (3) with time zone,
	"tried_at" timestamp (3) with time zone,
	"last_error" text DEFAULT '' NOT NULL,
	"next_fetch_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "ip_source" ADD CONSTRAINT "ip_source_file_id_ip_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."ip_file"("id") ON DELETE no action ON UPDATE no action;