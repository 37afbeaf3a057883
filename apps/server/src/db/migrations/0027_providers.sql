CREATE TABLE "callback_seen" (
	"route" text NOT NULL,
	"key" text NOT NULL,
	"answer" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "callback_seen_route_key_pk" PRIMARY KEY("route","key")
);
--> statement-breakpoint
CREATE TABLE "account_usage" (
	"account" text NOT NULL,
	"cost" text NOT NULL,
	"used" integer NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_usage_account_cost_pk" PRIMARY KEY("account","cost")
);
--> statement-breakpoint
CREATE TABLE "dns_account" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dns_account_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer,
	"name" text NOT NULL,
	"provider" text NOT NULL,
	"params" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"last_error" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dns_account_client_name_unique" UNIQUE NULLS NOT DISTINCT("client_id","name")
);
--> statement-breakpoint
ALTER TABLE "dns_account" ADD CONSTRAINT "dns_account_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "callback_seen_created_at_index" ON "callback_seen" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "account_usage_ends_at_index" ON "account_usage" USING btree ("ends_at");--> statement-breakpoint
-- By hand, from here on: what was text in base64 becomes bytes.
ALTER TABLE "data_export" ALTER COLUMN "content" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "data_export" ALTER COLUMN "content" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "data_export" ALTER COLUMN "content" SET DATA TYPE bytea USING decode(nullif("content", ''), 'base64');
