CREATE TABLE "address_list" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "address_list_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"source" text NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"url" text DEFAULT '' NOT NULL,
	"interval_seconds" integer NOT NULL,
	"entry_count" integer DEFAULT 0 NOT NULL,
	"v4" text DEFAULT '' NOT NULL,
	"v6" text DEFAULT '' NOT NULL,
	"fetched_at" timestamp (3) with time zone,
	"tried_at" timestamp (3) with time zone,
	"last_error" text DEFAULT '' NOT NULL,
	"next_fetch_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "address_list_client_name_unique" UNIQUE NULLS NOT DISTINCT("client_id","name")
);
--> statement-breakpoint
CREATE TABLE "site_address_list" (
	"site_id" integer NOT NULL,
	"address_list_id" integer NOT NULL,
	CONSTRAINT "site_address_list_site_id_address_list_id_pk" PRIMARY KEY("site_id","address_list_id")
);
--> statement-breakpoint
ALTER TABLE "address_list" ADD CONSTRAINT "address_list_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_address_list" ADD CONSTRAINT "site_address_list_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_address_list" ADD CONSTRAINT "site_address_list_address_list_id_address_list_id_fk" FOREIGN KEY ("address_list_id") REFERENCES "public"."address_list"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "address_list_next_fetch_at_index" ON "address_list" USING btree ("next_fetch_at");--> statement-breakpoint
CREATE INDEX "site_address_list_address_list_id_index" ON "site_address_list" USING btree ("address_list_id");