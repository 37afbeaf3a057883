CREATE TABLE "idempotency_key" (
	"account" text NOT NULL,
	"key" text NOT NULL,
	"call_hash" text NOT NULL,
	"answer" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_key_account_key_pk" PRIMARY KEY("account","key")
);
--> statement-breakpoint
CREATE INDEX "idempotency_key_created_at_index" ON "idempotency_key" USING btree ("created_at");