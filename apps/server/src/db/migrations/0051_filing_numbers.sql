CREATE TABLE "filing" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "filing_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer NOT NULL,
	"name" text NOT NULL,
	"number" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"reason" text DEFAULT 'none' NOT NULL,
	"holder" text DEFAULT '' NOT NULL,
	"found_number" text DEFAULT '' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"decided_by" text DEFAULT '' NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"last_error" text DEFAULT '' NOT NULL,
	"next_check_at" timestamp (3) with time zone DEFAULT now(),
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "filing_client_name_unique" UNIQUE("client_id","name")
);
--> statement-breakpoint
ALTER TABLE "line_group" ADD COLUMN "filing_required" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "site_domain" ADD COLUMN "unfiled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "filing" ADD CONSTRAINT "filing_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "filing_next_check_at_index" ON "filing" USING btree ("next_check_at");