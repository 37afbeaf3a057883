CREATE TABLE "level_address_list" (
	"level_id" integer NOT NULL,
	"address_list_id" integer NOT NULL,
	CONSTRAINT "level_address_list_level_id_address_list_id_pk" PRIMARY KEY("level_id","address_list_id")
);
--> statement-breakpoint
ALTER TABLE "level_address_list" ADD CONSTRAINT "level_address_list_level_id_site_level_id_fk" FOREIGN KEY ("level_id") REFERENCES "public"."site_level"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "level_address_list" ADD CONSTRAINT "level_address_list_address_list_id_address_list_id_fk" FOREIGN KEY ("address_list_id") REFERENCES "public"."address_list"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "level_address_list_address_list_id_index" ON "level_address_list" USING btree ("address_list_id");