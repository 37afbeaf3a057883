CREATE TABLE "site_refresh" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_refresh_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"site_id" integer NOT NULL,
	"client_id" integer NOT NULL,
	"urls" text[] NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"nodes_applied" integer,
	"nodes_total" integer
);
--> statement-breakpoint
ALTER TABLE "delivery_counter" ADD COLUMN "refreshes_gone" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "site_refresh" ADD CONSTRAINT "site_refresh_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_refresh" ADD CONSTRAINT "site_refresh_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_refresh_client_id_id_index" ON "site_refresh" USING btree ("client_id","id");--> statement-breakpoint
CREATE INDEX "site_refresh_site_id_id_index" ON "site_refresh" USING btree ("site_id","id");--> statement-breakpoint
CREATE INDEX "site_refresh_created_at_index" ON "site_refresh" USING btree ("created_at");