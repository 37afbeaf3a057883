CREATE TABLE "served_check" (
	"site_id" integer PRIMARY KEY NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "served_fault" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "served_fault_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"site_id" integer NOT NULL,
	"node_id" integer NOT NULL,
	"domain" text NOT NULL,
	"problem" text NOT NULL,
	"expected_serial" text NOT NULL,
	"served_serial" text DEFAULT '' NOT NULL,
	"served_issuer" text DEFAULT '' NOT NULL,
	"served_not_after" timestamp (3) with time zone,
	"error" text DEFAULT '' NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "served_fault_name_unique" UNIQUE("site_id","node_id","domain")
);
--> statement-breakpoint
ALTER TABLE "certificate" ADD COLUMN "notice_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "served_check" ADD CONSTRAINT "served_check_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "served_fault" ADD CONSTRAINT "served_fault_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "served_fault" ADD CONSTRAINT "served_fault_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "served_check_due_at_index" ON "served_check" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "served_fault_node_id_index" ON "served_fault" USING btree ("node_id");--> statement-breakpoint
CREATE INDEX "certificate_notice_at_index" ON "certificate" USING btree ("notice_at");--> statement-breakpoint
INSERT INTO "served_check" ("site_id", "due_at")
SELECT DISTINCT ON (u.user_id) u.user_id, now() + random() * interval '4 hours' FROM edge_use u JOIN site s ON s.id = u.user_id
WHERE user_kind = 'site' AND dep_kind = 'certificate';--> statement-breakpoint
UPDATE "certificate" SET "notice_at" = (
  SELECT min(not_after - make_interval(days => d)) FROM unnest('{30,14,7,3,1,0}'::integer[]) d WHERE not_after - make_interval(days => d) > now());
