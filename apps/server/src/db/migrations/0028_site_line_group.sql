ALTER TABLE "site" ADD COLUMN "line_group_id" integer;--> statement-breakpoint
-- Data, by hand: until now a site was where its order is; what a move of an order sent was called as the move itself is now; a description that is empty is the name.
UPDATE "site" s SET "line_group_id" = o."line_group_id" FROM "order" o WHERE o."id" = s."order_id";--> statement-breakpoint
UPDATE "operation" SET "kind" = 'site_move' WHERE "kind" = 'order_move';--> statement-breakpoint
UPDATE "area" SET "description" = "name" WHERE "description" = '';--> statement-breakpoint
UPDATE "line_group" SET "description" = "name" WHERE "description" = '';--> statement-breakpoint
UPDATE "product" SET "description" = "name" WHERE "description" = '';--> statement-breakpoint
UPDATE "address_list" SET "description" = "name" WHERE "description" = '';--> statement-breakpoint
UPDATE "admin_group" SET "description" = "name" WHERE "description" = '' AND "name" IS NOT NULL;--> statement-breakpoint
-- End of the data.
ALTER TABLE "site" ALTER COLUMN "line_group_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "site" ADD CONSTRAINT "site_line_group_id_line_group_id_fk" FOREIGN KEY ("line_group_id") REFERENCES "public"."line_group"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_line_group_id_index" ON "site" USING btree ("line_group_id");
