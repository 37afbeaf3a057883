CREATE TABLE "node_resource" (
	"node_id" integer NOT NULL,
	"unit" text NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"samples" integer DEFAULT 1 NOT NULL,
	"cpu" double precision NOT NULL,
	"cpu_peak" double precision NOT NULL,
	"load" double precision NOT NULL,
	"load_peak" double precision NOT NULL,
	"memory" double precision NOT NULL,
	"memory_peak" double precision NOT NULL,
	"disk" double precision NOT NULL,
	"disk_peak" double precision NOT NULL,
	"network_in" double precision NOT NULL,
	"network_in_peak" double precision NOT NULL,
	"network_out" double precision NOT NULL,
	"network_out_peak" double precision NOT NULL,
	"connections" double precision NOT NULL,
	"connections_peak" double precision NOT NULL,
	CONSTRAINT "node_resource_node_id_unit_time_pk" PRIMARY KEY("node_id","unit","time")
);
--> statement-breakpoint
CREATE TABLE "site_reject" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_reject_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"site_id" integer NOT NULL,
	"remote_addr" text NOT NULL,
	"decision" text NOT NULL,
	"node_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	"released_by" text
);
--> statement-breakpoint
CREATE TABLE "site_violation" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_violation_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"site_id" integer NOT NULL,
	"node_id" integer,
	"host" text NOT NULL,
	"request_uri" text NOT NULL,
	"word" text NOT NULL,
	"excerpt" text NOT NULL,
	"action" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "node_resource" ADD CONSTRAINT "node_resource_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_reject" ADD CONSTRAINT "site_reject_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_reject" ADD CONSTRAINT "site_reject_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_violation" ADD CONSTRAINT "site_violation_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_violation" ADD CONSTRAINT "site_violation_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "node_resource_time_index" ON "node_resource" USING btree ("time");--> statement-breakpoint
CREATE INDEX "site_reject_site_id_created_at_index" ON "site_reject" USING btree ("site_id","created_at");--> statement-breakpoint
CREATE INDEX "site_reject_created_at_index" ON "site_reject" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "site_violation_site_id_created_at_index" ON "site_violation" USING btree ("site_id","created_at");--> statement-breakpoint
CREATE INDEX "site_violation_created_at_index" ON "site_violation" USING btree ("created_at");