CREATE TABLE "admin_group" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_group_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"builtin" text,
	"name" text,
	"description" text,
	"permissions" text[] DEFAULT '{}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "admin_group_builtin_unique" UNIQUE("builtin"),
	CONSTRAINT "admin_group_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "known_permission" (
	"name" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
-- What each holds, the server hands out when it starts: see introduce-permissions.ts.
INSERT INTO "admin_group" ("builtin") VALUES ('owner'), ('operator'), ('support'), ('finance'), ('read_only');--> statement-breakpoint
ALTER TABLE "admin_user" ADD COLUMN "group_id" integer;--> statement-breakpoint
UPDATE "admin_user" SET "group_id" = "admin_group"."id" FROM "admin_group" WHERE "admin_group"."builtin" = "admin_user"."group";--> statement-breakpoint
ALTER TABLE "admin_user" ALTER COLUMN "group_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_user" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_user" ADD CONSTRAINT "admin_user_group_id_admin_group_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."admin_group"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "admin_user_group_id_index" ON "admin_user" USING btree ("group_id");--> statement-breakpoint
ALTER TABLE "admin_user" DROP COLUMN "group";