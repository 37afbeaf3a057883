CREATE TABLE "node_command" (
	"id" text PRIMARY KEY NOT NULL,
	"node_id" integer NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"answer" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "node_command" ADD CONSTRAINT "node_command_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "node_command_created_at_index" ON "node_command" USING btree ("created_at");