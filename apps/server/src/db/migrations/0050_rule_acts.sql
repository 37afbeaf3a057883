CREATE TABLE "rule_notice" (
	"site_id" integer NOT NULL,
	"rule" text NOT NULL,
	"told_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "rule_notice_site_id_rule_pk" PRIMARY KEY("site_id","rule")
);
--> statement-breakpoint
CREATE TABLE "address_list_entry" (
	"list_id" integer NOT NULL,
	"address" text NOT NULL,
	"decision" text NOT NULL,
	"request_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "address_list_entry_list_id_address_pk" PRIMARY KEY("list_id","address")
);
--> statement-breakpoint
ALTER TABLE "rule_notice" ADD CONSTRAINT "rule_notice_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_list_entry" ADD CONSTRAINT "address_list_entry_list_id_address_list_id_fk" FOREIGN KEY ("list_id") REFERENCES "public"."address_list"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rule_notice_told_at_index" ON "rule_notice" USING btree ("told_at");--> statement-breakpoint
CREATE INDEX "address_list_entry_expires_at_index" ON "address_list_entry" USING btree ("expires_at");