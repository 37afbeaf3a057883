CREATE TABLE "domain_name_blacklist" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "domain_name_blacklist_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "domain_name_blacklist_name_unique" UNIQUE("name","kind")
);
--> statement-breakpoint
CREATE TABLE "domain_name_blacklist_hit" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "domain_name_blacklist_hit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"blacklist_id" integer NOT NULL,
	"domain" text NOT NULL,
	"site_id" integer NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"decided_by" text DEFAULT '' NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "domain_name_blacklist_hit_unique" UNIQUE("blacklist_id","domain","site_id")
);
--> statement-breakpoint
CREATE TABLE "site_visit" (
	"site_id" integer PRIMARY KEY NOT NULL,
	"next_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp (3) with time zone,
	"pages" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "site_violation" ADD COLUMN "kind" text DEFAULT 'word' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_violation" ADD COLUMN "category" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_violation" ADD COLUMN "content_hash" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_violation" ADD COLUMN "digest" text DEFAULT substr(replace(gen_random_uuid()::text, '-', ''), 1, 32) NOT NULL;--> statement-breakpoint
ALTER TABLE "site_violation" ADD COLUMN "state" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_violation" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_violation" ADD COLUMN "decided_by" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_violation" ADD COLUMN "decided_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "site_violation" ADD COLUMN "appeal" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_violation" ADD COLUMN "appealed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "site_violation" ADD COLUMN "seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "domain_name_blacklist_hit" ADD CONSTRAINT "domain_name_blacklist_hit_blacklist_id_domain_name_blacklist_id_fk" FOREIGN KEY ("blacklist_id") REFERENCES "public"."domain_name_blacklist"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_name_blacklist_hit" ADD CONSTRAINT "domain_name_blacklist_hit_domain_fk" FOREIGN KEY ("domain","site_id") REFERENCES "public"."site_domain"("domain","site_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_visit" ADD CONSTRAINT "site_visit_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "domain_name_blacklist_hit_site_id_index" ON "domain_name_blacklist_hit" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "domain_name_blacklist_hit_domain_site_id_index" ON "domain_name_blacklist_hit" USING btree ("domain","site_id");--> statement-breakpoint
CREATE INDEX "site_visit_next_at_index" ON "site_visit" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "site_violation_seen_at_index" ON "site_violation" USING btree ("seen_at");--> statement-breakpoint
ALTER TABLE "site_violation" ADD CONSTRAINT "site_violation_digest_unique" UNIQUE("site_id","digest");