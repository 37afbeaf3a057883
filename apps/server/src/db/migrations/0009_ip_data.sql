CREATE TABLE "ip_data" (
	"id" integer PRIMARY KEY NOT NULL,
	"body" text NOT NULL,
	"stamp" text NOT NULL,
	"built_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
