CREATE TABLE "edge_authority" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"certificate" text NOT NULL,
	"private_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "edge_authority_single" CHECK ("edge_authority"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "line_group" ADD COLUMN "l2_enable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "line_group" ADD COLUMN "l2_mode" text DEFAULT 'cache' NOT NULL;--> statement-breakpoint
ALTER TABLE "node_line_group" ADD COLUMN "level" text DEFAULT 'L1' NOT NULL;