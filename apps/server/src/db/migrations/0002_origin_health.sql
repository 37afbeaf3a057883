CREATE TABLE "origin_health" (
	"site_id" integer NOT NULL,
	"node_id" integer NOT NULL,
	"address" text NOT NULL,
	"ip" text NOT NULL,
	"port" integer NOT NULL,
	"state" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"latency_ms" integer NOT NULL,
	"error_code" text,
	"error_detail" text,
	"reported_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "origin_health_site_id_node_id_address_ip_port_pk" PRIMARY KEY("site_id","node_id","address","ip","port")
);
--> statement-breakpoint
CREATE TABLE "origin_health_event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "origin_health_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"site_id" integer NOT NULL,
	"node_id" integer NOT NULL,
	"address" text NOT NULL,
	"ip" text NOT NULL,
	"port" integer NOT NULL,
	"state" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"error_code" text,
	"error_detail" text
);
--> statement-breakpoint
ALTER TABLE "origin_health" ADD CONSTRAINT "origin_health_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "origin_health" ADD CONSTRAINT "origin_health_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "origin_health_event" ADD CONSTRAINT "origin_health_event_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "origin_health_event" ADD CONSTRAINT "origin_health_event_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "origin_health_node_id_index" ON "origin_health" USING btree ("node_id");--> statement-breakpoint
CREATE INDEX "origin_health_reported_at_index" ON "origin_health" USING btree ("reported_at");--> statement-breakpoint
CREATE UNIQUE INDEX "origin_health_event_once" ON "origin_health_event" USING btree ("site_id","node_id","address","ip","port","at","state");--> statement-breakpoint
CREATE INDEX "origin_health_event_site_id_at_index" ON "origin_health_event" USING btree ("site_id","at");--> statement-breakpoint
CREATE INDEX "origin_health_event_node_id_index" ON "origin_health_event" USING btree ("node_id");--> statement-breakpoint
CREATE INDEX "origin_health_event_at_index" ON "origin_health_event" USING btree ("at");