CREATE TABLE "guard_place" (
	"site_id" integer NOT NULL,
	"node_id" integer NOT NULL,
	"path" text NOT NULL,
	"instance_id" text NOT NULL,
	"level" integer NOT NULL,
	"reason" text NOT NULL,
	"value" integer NOT NULL,
	"threshold" integer NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "guard_place_site_id_node_id_path_pk" PRIMARY KEY("site_id","node_id","path")
);
--> statement-breakpoint
CREATE TABLE "guard_step" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "guard_step_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"site_id" integer NOT NULL,
	"node_id" integer NOT NULL,
	"path" text NOT NULL,
	"instance_id" text NOT NULL,
	"level" integer NOT NULL,
	"reason" text NOT NULL,
	"value" integer NOT NULL,
	"threshold" integer NOT NULL,
	"from_level" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "guard_place" ADD CONSTRAINT "guard_place_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guard_place" ADD CONSTRAINT "guard_place_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guard_step" ADD CONSTRAINT "guard_step_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guard_step" ADD CONSTRAINT "guard_step_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "guard_place_node_id_index" ON "guard_place" USING btree ("node_id");--> statement-breakpoint
CREATE UNIQUE INDEX "guard_step_once" ON "guard_step" USING btree ("node_id","instance_id","site_id","path","at","from_level","level");--> statement-breakpoint
CREATE INDEX "guard_step_site_id_id_index" ON "guard_step" USING btree ("site_id","id");--> statement-breakpoint
CREATE INDEX "guard_step_created_at_index" ON "guard_step" USING btree ("created_at");