CREATE TABLE "member" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "member_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"permissions" text[] DEFAULT '{}' NOT NULL,
	"site_ids" integer[] DEFAULT '{}' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"last_login_ip" text DEFAULT '' NOT NULL,
	"last_login_at" timestamp (3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "member_email_unique" UNIQUE("email")
);
--> statement-breakpoint
ALTER TABLE "account_session" ADD COLUMN "member_id" integer;--> statement-breakpoint
ALTER TABLE "api_token" ADD COLUMN "member_id" integer;--> statement-breakpoint
ALTER TABLE "passkey" ADD COLUMN "member_id" integer;--> statement-breakpoint
ALTER TABLE "recovery_code" ADD COLUMN "member_id" integer;--> statement-breakpoint
ALTER TABLE "two_factor" ADD COLUMN "member_id" integer;--> statement-breakpoint
ALTER TABLE "member" ADD CONSTRAINT "member_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "member_client_id_index" ON "member" USING btree ("client_id");--> statement-breakpoint
ALTER TABLE "account_session" ADD CONSTRAINT "account_session_member_id_member_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."member"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_member_id_member_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."member"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_member_id_member_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."member"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_member_id_member_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."member"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factor" ADD CONSTRAINT "two_factor_member_id_member_id_fk" FOREIGN KEY ("member_id") REFERENCES "public"."member"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_session_member_id_index" ON "account_session" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "api_token_member_id_index" ON "api_token" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "passkey_member_id_index" ON "passkey" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "recovery_code_member_id_index" ON "recovery_code" USING btree ("member_id");--> statement-breakpoint
ALTER TABLE "two_factor" ADD CONSTRAINT "two_factor_memberId_unique" UNIQUE("member_id");