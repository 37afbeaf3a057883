CREATE TABLE "waf_matcher" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "waf_matcher_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"class_type" text NOT NULL,
	"rules" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "waf_matcher_client_name_unique" UNIQUE NULLS NOT DISTINCT("client_id","name")
);
--> statement-breakpoint
ALTER TABLE "waf_matcher" ADD CONSTRAINT "waf_matcher_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE cascade ON UPDATE no action;