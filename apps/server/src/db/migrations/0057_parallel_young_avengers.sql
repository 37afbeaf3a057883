CREATE TABLE "address_minute" (
	"node_id" integer NOT NULL,
	"address" text NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"samples" integer DEFAULT 1 NOT NULL,
	"bytes" double precision NOT NULL,
	"syn" double precision NOT NULL,
	"tcp" double precision NOT NULL,
	"reflected" double precision NOT NULL,
	"udp" double precision NOT NULL,
	"icmp" double precision NOT NULL,
	"other" double precision NOT NULL,
	"peak" double precision NOT NULL,
	CONSTRAINT "address_minute_node_id_address_time_pk" PRIMARY KEY("node_id","address","time")
);
--> statement-breakpoint
CREATE TABLE "flood" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "flood_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"node_id" integer NOT NULL,
	"address" text NOT NULL,
	"kind" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"calm_since" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"packets" double precision NOT NULL,
	"bits" double precision NOT NULL,
	"peak_packets" double precision NOT NULL,
	"peak_bits" double precision NOT NULL,
	"peak_mix" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "address_minute" ADD CONSTRAINT "address_minute_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flood" ADD CONSTRAINT "flood_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "address_minute_time_index" ON "address_minute" USING btree ("time");--> statement-breakpoint
CREATE UNIQUE INDEX "flood_open_index" ON "flood" USING btree ("node_id","address") WHERE "flood"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "flood_started_at_index" ON "flood" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "flood_node_id_seen_at_index" ON "flood" USING btree ("node_id","seen_at");