-- The name without `*.`, then every name above it down to the one below the top level.
CREATE FUNCTION domain_lineage(domain text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_agg(array_to_string(labels[place:], '.') ORDER BY place)
  FROM (SELECT string_to_array(regexp_replace(domain, '^\*\.', ''), '.') AS labels) AS name,
    generate_subscripts(labels, 1) AS place
  WHERE place = 1 OR place < array_length(labels, 1)
$$;--> statement-breakpoint
ALTER TABLE "site_domain" DROP CONSTRAINT "site_domain_pkey";--> statement-breakpoint
ALTER TABLE "site_domain" ADD CONSTRAINT "site_domain_domain_site_id_pk" PRIMARY KEY("domain","site_id");--> statement-breakpoint
ALTER TABLE "site_domain" ADD COLUMN "lineage" text[] GENERATED ALWAYS AS (domain_lineage(domain)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "site_domain" ADD COLUMN "token" text DEFAULT substr(replace(gen_random_uuid()::text, '-', ''), 1, 32) NOT NULL;--> statement-breakpoint
ALTER TABLE "site_domain" ADD COLUMN "was_served" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "site_domain" ADD COLUMN "claimed_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "site_domain_given_index" ON "site_domain" USING btree ("domain") WHERE "site_domain"."proof" = 'given';--> statement-breakpoint
CREATE INDEX "site_domain_lineage_index" ON "site_domain" USING gin ("lineage");--> statement-breakpoint
CREATE INDEX "site_domain_bare_index" ON "site_domain" USING btree (("lineage"[1]));--> statement-breakpoint
-- TXT records that customers have set already go on proving what they prove.
UPDATE "site_domain" d SET "token" = s."proof_token" FROM "site" s WHERE s."id" = d."site_id";--> statement-breakpoint
ALTER TABLE "site" DROP COLUMN "proof_token";--> statement-breakpoint
-- Names of two customers that overlap already: since when each site has had its name without a break.
UPDATE "site_domain" d SET "claimed_at" = coalesce((
    SELECT min(r."created_at") FROM "site_revision" r
    WHERE r."site_id" = d."site_id" AND r."version" > coalesce((
      SELECT max(l."version") FROM "site_revision" l
      WHERE l."site_id" = d."site_id" AND NOT (l."snapshot"->'domains') ? d."domain"), 0)), s."created_at")
  FROM "site" s
  WHERE s."id" = d."site_id" AND EXISTS (
    SELECT FROM "site_domain" o JOIN "site" os ON os."id" = o."site_id"
    WHERE os."client_id" <> s."client_id"
      AND (o."lineage" @> ARRAY[d."lineage"[1]] OR o."lineage"[1] = ANY(d."lineage")));--> statement-breakpoint
-- The older has it. The younger is served on while it waits, and has the usual time for its proof.
UPDATE "site_domain" d SET "proof" = 'waiting', "was_served" = true, "checks" = 0, "next_check_at" = now(),
    "check_until" = now() + make_interval(hours => coalesce(
      (SELECT ("value"->>'check_hours')::int FROM "setting" WHERE "key" = 'site'), 72))
  FROM "site" s
  WHERE s."id" = d."site_id" AND d."proof" = 'given' AND EXISTS (
    SELECT FROM "site_domain" o JOIN "site" os ON os."id" = o."site_id"
    WHERE os."client_id" <> s."client_id" AND o."proof" = 'given'
      AND (o."lineage" @> ARRAY[d."lineage"[1]] OR o."lineage"[1] = ANY(d."lineage"))
      AND (o."claimed_at", o."site_id") < (d."claimed_at", d."site_id"));
