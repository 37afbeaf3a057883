CREATE TABLE "acme_usage" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "acme_usage_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"authority" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"order_id" integer
);
--> statement-breakpoint
ALTER TABLE "acme_account" ADD COLUMN "limit_domain_certificates" integer DEFAULT 50 NOT NULL;--> statement-breakpoint
ALTER TABLE "acme_account" ADD COLUMN "limit_orders" integer DEFAULT 300 NOT NULL;--> statement-breakpoint
ALTER TABLE "acme_account" ADD COLUMN "limit_failures" integer DEFAULT 5 NOT NULL;--> statement-breakpoint
ALTER TABLE "acme_account" ADD COLUMN "limit_duplicates" integer DEFAULT 5 NOT NULL;--> statement-breakpoint
ALTER TABLE "acme_account" ADD COLUMN "renewals_exempt" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "certificate_order" ADD COLUMN "automatic" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "certificate_order" ADD COLUMN "basis" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "certificate_order" ADD COLUMN "replan_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "acme_usage" ADD CONSTRAINT "acme_usage_order_id_certificate_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."certificate_order"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "acme_usage_authority_kind_subject_at_index" ON "acme_usage" USING btree ("authority","kind","subject","at");--> statement-breakpoint
CREATE INDEX "acme_usage_at_index" ON "acme_usage" USING btree ("at");--> statement-breakpoint
CREATE INDEX "acme_usage_order_id_index" ON "acme_usage" USING btree ("order_id") WHERE "acme_usage"."order_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "certificate_order_working_index" ON "certificate_order" USING btree ("id") WHERE "certificate_order"."state" = 'working';