CREATE TABLE "site_level" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_level_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"level" text NOT NULL,
	"target_id" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"values" jsonb NOT NULL,
	"own" text[] DEFAULT '{}' NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_level_revision" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_level_revision_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"level_id" integer NOT NULL,
	"version" integer NOT NULL,
	"section" text NOT NULL,
	"author_id" integer,
	"author_name" text NOT NULL,
	"values" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "site" ADD COLUMN "own" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "site_level_revision" ADD CONSTRAINT "site_level_revision_level_id_site_level_id_fk" FOREIGN KEY ("level_id") REFERENCES "public"."site_level"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "site_level_level_target_id_index" ON "site_level" USING btree ("level","target_id");--> statement-breakpoint
CREATE INDEX "site_level_own_index" ON "site_level" USING gin ("own");--> statement-breakpoint
CREATE UNIQUE INDEX "site_level_revision_level_id_version_index" ON "site_level_revision" USING btree ("level_id","version");--> statement-breakpoint
CREATE INDEX "site_own_index" ON "site" USING gin ("own");--> statement-breakpoint
CREATE FUNCTION pg_temp.own_values(config jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT config || coalesce(jsonb_object_agg(s.section, (
    SELECT coalesce(jsonb_object_agg(f.key, f.value), '{}') FROM jsonb_each(config->s.section) f
    WHERE NOT coalesce(f.value = s.fields->f.key
      OR jsonb_typeof(f.value) = 'object' AND s.fields->f.key @> f.value, false))), '{}')
  FROM jsonb_each('{"cache_rule":{"rules":[],"cache_header":true,"always_online":false},"speed_optimize":{"gzip":false,"brotli":false,"level":"balanced","types":["text/html","text/css","text/plain","text/xml","text/javascript","application/javascript","application/json","application/ld+json","application/manifest+json","application/rss+xml","application/xml","application/wasm","image/svg+xml"],"min_length_bytes":1024,"preload":[]},"certificate_settings":{"force_https":{"enabled":false,"status":301,"port":443,"only_domains":[],"except_domains":[]},"hsts":{"enabled":false,"max_age_seconds":31536000,"include_subdomains":false,"preload":false},"min_version":"TLSv1.2","max_version":"TLSv1.3","cipher_level":"compatible","ocsp_stapling":false,"client_certificate":{"mode":"off","ca":"","depth":3,"pass_to_origin":false}},"advanced_config":{"error_pages":[],"response_buffering":true,"access_log":{"enabled":true,"referer":true,"user_agent":true,"query":true,"sample_rate":1}},"security":{"rate":{"period_seconds":10,"burst":100},"rate_per_address":{"period_seconds":10,"burst":100},"rate_counts_hits":true},"real_ip":{"mode":"socket","headers":[],"depth":1,"preset":"cloudflare","trusted":[]}}'::jsonb) AS s(section, fields)
  WHERE jsonb_typeof(config->s.section) = 'object'
$$;--> statement-breakpoint
UPDATE "site" SET "config" = pg_temp.own_values("config");--> statement-breakpoint
UPDATE "site_revision" SET "snapshot" = pg_temp.own_values("snapshot");--> statement-breakpoint
UPDATE "site" SET "own" = ARRAY(
  SELECT s.key || '.' || f.key FROM jsonb_each("config") s, jsonb_each(CASE WHEN jsonb_typeof(s.value) = 'object' THEN s.value ELSE '{}' END) f
  WHERE s.key IN ('cache_rule', 'speed_optimize', 'certificate_settings', 'advanced_config', 'security', 'real_ip')
    AND s.key || '.' || f.key NOT IN ('cache_rule.development_until', 'certificate_settings.certificate_ids', 'advanced_config.maintenance', 'advanced_config.snippet'));--> statement-breakpoint
UPDATE "site" SET "own" = ARRAY(SELECT DISTINCT unnest("own" || '{certificate_settings.min_version,certificate_settings.max_version,certificate_settings.cipher_level}') ORDER BY 1)
  WHERE "own" && '{certificate_settings.min_version,certificate_settings.max_version,certificate_settings.cipher_level}';--> statement-breakpoint
UPDATE "site" SET "own" = ARRAY(SELECT DISTINCT unnest("own" || '{real_ip.mode,real_ip.headers,real_ip.depth,real_ip.preset,real_ip.trusted}') ORDER BY 1)
  WHERE "own" && '{real_ip.mode,real_ip.headers,real_ip.depth,real_ip.preset,real_ip.trusted}';
