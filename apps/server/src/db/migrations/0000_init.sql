CREATE TABLE "admin_user" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_user_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"password_hash" text NOT NULL,
	"group" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"session_epoch" integer DEFAULT 1 NOT NULL,
	"last_login_ip" text DEFAULT '' NOT NULL,
	"last_login_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "admin_user_username_unique" UNIQUE("username")
);
--> statement-breakpoint
CREATE TABLE "area" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "area_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "area_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "certificate" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "certificate_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer NOT NULL,
	"name" text NOT NULL,
	"domains" text[] NOT NULL,
	"issuer" text NOT NULL,
	"fingerprint" text NOT NULL,
	"not_before" timestamp (3) with time zone NOT NULL,
	"not_after" timestamp (3) with time zone NOT NULL,
	"certificate" text NOT NULL,
	"private_key" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "client" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "client_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"remark" text DEFAULT '' NOT NULL,
	"password_hash" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"session_epoch" integer DEFAULT 1 NOT NULL,
	"last_login_ip" text DEFAULT '' NOT NULL,
	"last_login_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "client_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "delivery_counter" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"revision" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "delivery_counter_single" CHECK ("delivery_counter"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "edge_document" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"line_group_id" integer NOT NULL,
	"revision" bigint NOT NULL,
	"hash" text DEFAULT '' NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"deleted" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "edge_document_kind_key_line_group_id_pk" PRIMARY KEY("kind","key","line_group_id")
);
--> statement-breakpoint
CREATE TABLE "line_group" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "line_group_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "line_group_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "node" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "node_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"area_id" integer NOT NULL,
	"app_id" text NOT NULL,
	"app_secret" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"state" jsonb,
	"status_time" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "node_name_unique" UNIQUE("name"),
	CONSTRAINT "node_appId_unique" UNIQUE("app_id")
);
--> statement-breakpoint
CREATE TABLE "node_document" (
	"node_id" integer NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"active_revision" bigint,
	"seen_revision" bigint NOT NULL,
	"status" text NOT NULL,
	"error" text,
	"acked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "node_document_node_id_kind_key_pk" PRIMARY KEY("node_id","kind","key")
);
--> statement-breakpoint
CREATE TABLE "node_ip" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "node_ip_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"node_id" integer NOT NULL,
	"ip" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "node_ip_ip_unique" UNIQUE("ip")
);
--> statement-breakpoint
CREATE TABLE "node_line_group" (
	"node_id" integer NOT NULL,
	"line_group_id" integer NOT NULL,
	CONSTRAINT "node_line_group_node_id_line_group_id_pk" PRIMARY KEY("node_id","line_group_id")
);
--> statement-breakpoint
CREATE TABLE "node_nonce" (
	"node_id" integer NOT NULL,
	"nonce" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "node_nonce_node_id_nonce_pk" PRIMARY KEY("node_id","nonce")
);
--> statement-breakpoint
CREATE TABLE "operation_log" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "operation_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"request_id" text NOT NULL,
	"user_type" text NOT NULL,
	"user_id" integer,
	"user_name" text DEFAULT '' NOT NULL,
	"ip" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"query" text DEFAULT '' NOT NULL,
	"request_body" text DEFAULT '' NOT NULL,
	"response_body" text DEFAULT '' NOT NULL,
	"duration_ms" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"order_no" text NOT NULL,
	"client_id" integer NOT NULL,
	"product_id" integer NOT NULL,
	"line_group_id" integer NOT NULL,
	"another_name" text DEFAULT '' NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"cycle" text NOT NULL,
	"price" bigint NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"start_at" timestamp (3) with time zone NOT NULL,
	"end_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_orderNo_unique" UNIQUE("order_no")
);
--> statement-breakpoint
CREATE TABLE "product" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "product_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"line_group_id" integer NOT NULL,
	"prices" jsonb NOT NULL,
	"limits" jsonb NOT NULL,
	"stock" integer,
	"delisted" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "setting" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempt" (
	"key" text PRIMARY KEY NOT NULL,
	"failed" integer NOT NULL,
	"window_start" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"client_id" integer NOT NULL,
	"order_id" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"config" jsonb NOT NULL,
	"status" text DEFAULT 'online' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_certificate" (
	"site_id" integer NOT NULL,
	"certificate_id" integer NOT NULL,
	CONSTRAINT "site_certificate_site_id_certificate_id_pk" PRIMARY KEY("site_id","certificate_id")
);
--> statement-breakpoint
CREATE TABLE "site_domain" (
	"domain" text PRIMARY KEY NOT NULL,
	"site_id" integer NOT NULL,
	"position" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_revision" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_revision_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"site_id" integer NOT NULL,
	"version" integer NOT NULL,
	"section" text NOT NULL,
	"author_type" text NOT NULL,
	"author_id" integer,
	"author_name" text NOT NULL,
	"snapshot" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sub_task" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sub_task_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"task_id" integer NOT NULL,
	"node_id" integer NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"revision" bigint NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "task" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "task_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"title" text NOT NULL,
	"object_kind" text NOT NULL,
	"object_id" integer NOT NULL,
	"client_id" integer,
	"status" text DEFAULT 'pending' NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "certificate" ADD CONSTRAINT "certificate_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edge_document" ADD CONSTRAINT "edge_document_line_group_id_line_group_id_fk" FOREIGN KEY ("line_group_id") REFERENCES "public"."line_group"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "node" ADD CONSTRAINT "node_area_id_area_id_fk" FOREIGN KEY ("area_id") REFERENCES "public"."area"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "node_document" ADD CONSTRAINT "node_document_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "node_ip" ADD CONSTRAINT "node_ip_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "node_line_group" ADD CONSTRAINT "node_line_group_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "node_line_group" ADD CONSTRAINT "node_line_group_line_group_id_line_group_id_fk" FOREIGN KEY ("line_group_id") REFERENCES "public"."line_group"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "node_nonce" ADD CONSTRAINT "node_nonce_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order" ADD CONSTRAINT "order_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order" ADD CONSTRAINT "order_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order" ADD CONSTRAINT "order_line_group_id_line_group_id_fk" FOREIGN KEY ("line_group_id") REFERENCES "public"."line_group"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_line_group_id_line_group_id_fk" FOREIGN KEY ("line_group_id") REFERENCES "public"."line_group"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site" ADD CONSTRAINT "site_client_id_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."client"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site" ADD CONSTRAINT "site_order_id_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_certificate" ADD CONSTRAINT "site_certificate_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_certificate" ADD CONSTRAINT "site_certificate_certificate_id_certificate_id_fk" FOREIGN KEY ("certificate_id") REFERENCES "public"."certificate"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_domain" ADD CONSTRAINT "site_domain_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_revision" ADD CONSTRAINT "site_revision_site_id_site_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."site"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sub_task" ADD CONSTRAINT "sub_task_task_id_task_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."task"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sub_task" ADD CONSTRAINT "sub_task_node_id_node_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."node"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "certificate_client_id_index" ON "certificate" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "certificate_not_after_index" ON "certificate" USING btree ("not_after");--> statement-breakpoint
CREATE INDEX "edge_document_line_group_id_revision_index" ON "edge_document" USING btree ("line_group_id","revision");--> statement-breakpoint
CREATE INDEX "node_area_id_index" ON "node" USING btree ("area_id");--> statement-breakpoint
CREATE INDEX "node_document_kind_key_index" ON "node_document" USING btree ("kind","key");--> statement-breakpoint
CREATE INDEX "node_ip_node_id_index" ON "node_ip" USING btree ("node_id");--> statement-breakpoint
CREATE INDEX "node_line_group_line_group_id_index" ON "node_line_group" USING btree ("line_group_id");--> statement-breakpoint
CREATE INDEX "node_nonce_expires_at_index" ON "node_nonce" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "operation_log_created_at_index" ON "operation_log" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "operation_log_user_type_user_id_index" ON "operation_log" USING btree ("user_type","user_id");--> statement-breakpoint
CREATE INDEX "operation_log_request_id_index" ON "operation_log" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "order_client_id_index" ON "order" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "order_product_id_index" ON "order" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "order_line_group_id_index" ON "order" USING btree ("line_group_id");--> statement-breakpoint
CREATE INDEX "site_client_id_index" ON "site" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "site_order_id_index" ON "site" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "site_certificate_certificate_id_index" ON "site_certificate" USING btree ("certificate_id");--> statement-breakpoint
CREATE INDEX "site_domain_site_id_position_index" ON "site_domain" USING btree ("site_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "site_revision_site_id_version_index" ON "site_revision" USING btree ("site_id","version");--> statement-breakpoint
CREATE INDEX "sub_task_task_id_index" ON "sub_task" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "sub_task_node_id_kind_key_status_index" ON "sub_task" USING btree ("node_id","kind","key","status");--> statement-breakpoint
CREATE INDEX "task_object_kind_object_id_index" ON "task" USING btree ("object_kind","object_id");--> statement-breakpoint
CREATE INDEX "task_status_index" ON "task" USING btree ("status");