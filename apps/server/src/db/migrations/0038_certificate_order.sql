CREATE TABLE "acme_account" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "acme_account_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"directory" text NOT NULL,
	"directory_url" text NOT NULL,
	"directory_ca" text NOT NULL,
	"email" text NOT NULL,
	"terms_agreed" boolean NOT NULL,
	"eab_key_id" text NOT NULL,
	"eab_hmac_key" text,
	"key_type" text NOT NULL,
	"profile" text NOT NULL,
	"priority" integer NOT NULL,
	"enabled" boolean NOT NULL,
	"account_key" text,
	"account_url" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "acme_account_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "certificate_order" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "certificate_order_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer NOT NULL,
	"name" text NOT NULL,
	"domains" text[] NOT NULL,
	"acme_account_id" integer,
	"challenge" text NOT NULL,
	"dns_account_id" integer,
	"key_type" text,
	"reuse_key" boolean NOT NULL,
	"site_id" integer,
	"certificate_id" integer,
	"state" text DEFAULT 'waiting' NOT NULL,
	"next_at" timestamp (3) with time zone,
	"renew_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"problem_detail" text DEFAULT '' NOT NULL,
	"warned_days" integer,
	"operation_id" integer,
	"order_account_id" integer,
	"issued_account_id" integer,
	"failed_account_ids" integer[] DEFAULT '{}' NOT NULL,
	"order_url" text DEFAULT '' NOT NULL,
	"order_key" text,
	"phase" text DEFAULT '' NOT NULL,
	"waiting_since" timestamp (3) with time zone,
	"records" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "certificate_step" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "certificate_step_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"kind" text NOT NULL,
	"problem" text,
	"detail" text DEFAULT '' NOT NULL,
	"facts" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "certificate_order" ADD CONSTRAINT "certificate_order_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_order" ADD CONSTRAINT "certificate_order_acme_account_id_acme_account_id_fk" FOREIGN KEY ("acme_account_id") REFERENCES "public"."acme_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_order" ADD CONSTRAINT "certificate_order_dns_account_id_dns_account_id_fk" FOREIGN KEY ("dns_account_id") REFERENCES "public"."dns_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_order" ADD CONSTRAINT "certificate_order_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_order" ADD CONSTRAINT "certificate_order_certificate_id_certificate_id_fk" FOREIGN KEY ("certificate_id") REFERENCES "public"."certificate"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_order" ADD CONSTRAINT "certificate_order_order_account_id_acme_account_id_fk" FOREIGN KEY ("order_account_id") REFERENCES "public"."acme_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_order" ADD CONSTRAINT "certificate_order_issued_account_id_acme_account_id_fk" FOREIGN KEY ("issued_account_id") REFERENCES "public"."acme_account"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_step" ADD CONSTRAINT "certificate_step_order_id_certificate_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."certificate_order"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "certificate_order_client_id_id_index" ON "certificate_order" USING btree ("client_id","id");--> statement-breakpoint
CREATE INDEX "certificate_order_certificate_id_index" ON "certificate_order" USING btree ("certificate_id");--> statement-breakpoint
CREATE UNIQUE INDEX "certificate_order_site_unique" ON "certificate_order" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "certificate_order_next_at_index" ON "certificate_order" USING btree ("next_at") WHERE "certificate_order"."next_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "certificate_step_order_id_id_index" ON "certificate_step" USING btree ("order_id","id");