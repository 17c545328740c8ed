CREATE TABLE "tallies" (
	"subject" text NOT NULL,
	"owner" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"name" text NOT NULL,
	"count" bigint NOT NULL,
	"units" numeric DEFAULT 0 NOT NULL,
	"refunded" numeric DEFAULT 0 NOT NULL,
	CONSTRAINT "tallies_subject_owner_hour_name_pk" PRIMARY KEY("subject","owner","hour","name")
);
--> statement-breakpoint
CREATE TABLE "tally_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tally_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"subject" text NOT NULL,
	"owner" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"name" text NOT NULL,
	"count" bigint NOT NULL,
	"units" numeric DEFAULT 0 NOT NULL,
	"refunded" numeric DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE FUNCTION tally_hour(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE
RETURN to_timestamp(floor(extract(epoch FROM at) / 3600) * 3600);
--> statement-breakpoint
CREATE FUNCTION tally_of_order(phase text, chain text, document jsonb, OUT name text, OUT is_sold boolean, OUT units numeric)
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  -- Unpacked once for all that is read of it.
  whole jsonb;
BEGIN
  IF phase IN ('delivery', 'completed') THEN
    whole := document || '{}';
    is_sold := coalesce(whole #>> '{capture,status}', 'captured') = 'captured';
  ELSE
    is_sold := false;
  END IF;
  IF is_sold THEN
    name := jsonb_build_array(phase, chain, whole #> '{payment,currency}', whole #> '{payment,decimals}')::text;
    units := coalesce((whole #>> '{quote,totalUnits}')::numeric, 0);
  ELSE
    name := jsonb_build_array(phase)::text;
    units := 0;
  END IF;
END $$;
--> statement-breakpoint
CREATE FUNCTION tally_refunded(id uuid) RETURNS numeric LANGUAGE sql STABLE
RETURN (SELECT coalesce(sum(units::numeric), 0) FROM refunds
  WHERE refunds.order_id = tally_refunded.id AND reason IN ('requested', 'undelivered'));
--> statement-breakpoint
CREATE FUNCTION tally_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  before record;
  after record;
  refunded numeric := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    SELECT * INTO before FROM tally_of_order(old.phase, old.chain, old.document);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    SELECT * INTO after FROM tally_of_order(new.phase, new.chain, new.document);
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF before = after THEN
      RETURN NULL;
    END IF;
    IF before.is_sold OR after.is_sold THEN
      refunded := tally_refunded(old.id);
    END IF;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO tally_entries (subject, owner, hour, name, count, units, refunded) VALUES
      ('orders', old.project_id::text, tally_hour(old.created_at), before.name, -1, -before.units,
        CASE WHEN before.is_sold THEN -refunded ELSE 0 END),
      ('phases', '', 'epoch', old.phase, -1, 0, 0);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO tally_entries (subject, owner, hour, name, count, units, refunded) VALUES
      ('orders', new.project_id::text, tally_hour(new.created_at), after.name, 1, after.units,
        CASE WHEN after.is_sold THEN refunded ELSE 0 END),
      ('phases', '', 'epoch', new.phase, 1, 0, 0);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION tally_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refund_order uuid := CASE WHEN TG_OP = 'DELETE' THEN old.order_id ELSE new.order_id END;
  more numeric := 0;
BEGIN
  IF TG_OP <> 'DELETE' AND new.reason IN ('requested', 'undelivered') THEN
    more := more + new.units::numeric;
  END IF;
  IF TG_OP <> 'INSERT' AND old.reason IN ('requested', 'undelivered') THEN
    more := more - old.units::numeric;
  END IF;
  IF more <> 0 THEN
    -- A transaction that adds a refund has locked its order, so the order is what it will be counted as.
    INSERT INTO tally_entries (subject, owner, hour, name, count, units, refunded)
    SELECT 'orders', orders.project_id::text, tally_hour(orders.created_at), tally.name, 0, 0, more
    FROM orders, tally_of_order(orders.phase, orders.chain, orders.document) AS tally
    WHERE orders.id = refund_order AND tally.is_sold;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION tally_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO tally_entries (subject, owner, hour, name, count)
    VALUES ('tokens', new.project_id || '/' || new.collection_id, tally_hour(new.created_at), '', 1);
  ELSE
    INSERT INTO tally_entries (subject, owner, hour, name, count)
    VALUES ('tokens', old.project_id || '/' || old.collection_id, tally_hour(old.created_at), '', -1);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION tally_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO tally_entries (subject, owner, hour, name, count) VALUES ('deliveries', '', 'epoch', old.status, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO tally_entries (subject, owner, hour, name, count) VALUES ('deliveries', '', 'epoch', new.status, 1);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tally_order AFTER INSERT OR DELETE ON orders
FOR EACH ROW EXECUTE FUNCTION tally_order();
--> statement-breakpoint
CREATE TRIGGER tally_changed_order AFTER UPDATE ON orders FOR EACH ROW
WHEN (new.phase IN ('delivery', 'completed') OR old.phase IS DISTINCT FROM new.phase)
EXECUTE FUNCTION tally_order();
--> statement-breakpoint
CREATE TRIGGER tally_refund AFTER INSERT OR DELETE OR UPDATE OF units, reason ON refunds
FOR EACH ROW EXECUTE FUNCTION tally_refund();
--> statement-breakpoint
CREATE TRIGGER tally_token AFTER INSERT OR DELETE ON nfts
FOR EACH ROW EXECUTE FUNCTION tally_token();
--> statement-breakpoint
CREATE TRIGGER tally_delivery AFTER INSERT OR DELETE ON webhook_deliveries
FOR EACH ROW EXECUTE FUNCTION tally_delivery();
--> statement-breakpoint
CREATE TRIGGER tally_changed_delivery AFTER UPDATE ON webhook_deliveries FOR EACH ROW
WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION tally_delivery();
--> statement-breakpoint
-- The triggers have locked the tables, so no write of another process is missed.
INSERT INTO tallies (subject, owner, hour, name, count, units, refunded)
SELECT 'orders', project_id::text, tally_hour(created_at), tally.name, count(*), sum(tally.units),
  sum(CASE WHEN tally.is_sold THEN coalesce(back.units, 0) ELSE 0 END)
FROM orders
CROSS JOIN LATERAL tally_of_order(phase, chain, document) AS tally
LEFT JOIN (
  SELECT order_id, sum(units::numeric) AS units FROM refunds
  WHERE reason IN ('requested', 'undelivered') GROUP BY order_id
) AS back ON back.order_id = orders.id
GROUP BY 2, 3, 4
UNION ALL
SELECT 'phases', '', 'epoch', phase, count(*), 0, 0 FROM orders GROUP BY phase
UNION ALL
SELECT 'tokens', project_id || '/' || collection_id, tally_hour(created_at), '', count(*), 0, 0 FROM nfts GROUP BY 2, 3
UNION ALL
SELECT 'deliveries', '', 'epoch', status, count(*), 0, 0 FROM webhook_deliveries GROUP BY status;
