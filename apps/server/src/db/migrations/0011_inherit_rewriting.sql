CREATE FUNCTION pg_temp.own_rewriting(config jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT config || coalesce(jsonb_object_agg(s.section, (
    SELECT coalesce(jsonb_object_agg(f.key, f.value), '{}') FROM jsonb_each(config->s.section) f
    WHERE f.value IS DISTINCT FROM s.fields->f.key)), '{}')
  FROM jsonb_each('{"block_referer":{"enabled":false,"allow":[],"deny":[],"allow_empty":true,"allow_same_domain":true,"check_origin":false,"only_paths":[],"except_paths":[],"action":"status","status":403,"redirect_url":""},"content_rewrite":{"redirects":[],"url_rewrites":[],"request_headers":[],"response_headers":[],"body":{"replacements":[],"content_types":["text/html"],"max_bytes":4194304,"head_html":"","body_html":""}}}'::jsonb) AS s(section, fields)
  WHERE jsonb_typeof(config->s.section) = 'object'
$$;--> statement-breakpoint
UPDATE "site" SET "config" = pg_temp.own_rewriting("config");--> statement-breakpoint
UPDATE "site_revision" SET "snapshot" = pg_temp.own_rewriting("snapshot");--> statement-breakpoint
UPDATE "site" SET "own" = ARRAY(SELECT unnest("own") UNION
  SELECT s.key || '.' || f.key FROM jsonb_each("config") s, jsonb_each(CASE WHEN jsonb_typeof(s.value) = 'object' THEN s.value ELSE '{}' END) f
  WHERE s.key IN ('block_referer', 'content_rewrite') ORDER BY 1);--> statement-breakpoint
UPDATE "site" SET "own" = ARRAY(SELECT DISTINCT unnest("own" || '{block_referer.action,block_referer.status,block_referer.redirect_url}') ORDER BY 1)
  WHERE "own" && '{block_referer.action,block_referer.status,block_referer.redirect_url}';--> statement-breakpoint
UPDATE "edge_document" SET "format" = 0 WHERE "kind" = 'site' AND NOT "deleted" AND ("body" NOT LIKE '{%' OR "body" LIKE '%"block_referer":%' OR "body" LIKE '%"content_rewrite":%');
