CREATE TABLE "false_alarm" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "false_alarm_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer NOT NULL,
	"site_id" integer NOT NULL,
	"request_id" text NOT NULL,
	"line" jsonb NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"reported_by" text NOT NULL,
	"by_operator" boolean DEFAULT false NOT NULL,
	"outcome" text,
	"answer" text DEFAULT '' NOT NULL,
	"handled_by" text,
	"handled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "false_alarm_request_unique" UNIQUE("site_id","request_id")
);
--> statement-breakpoint
CREATE TABLE "site_attack" (
	"site_id" integer PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"told_at" timestamp (3) with time zone NOT NULL,
	"peak" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "false_alarm" ADD CONSTRAINT "false_alarm_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "false_alarm" ADD CONSTRAINT "false_alarm_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_attack" ADD CONSTRAINT "site_attack_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "false_alarm_client_id_created_at_index" ON "false_alarm" USING btree ("client_id","created_at");--> statement-breakpoint
CREATE INDEX "false_alarm_created_at_index" ON "false_alarm" USING btree ("created_at");