CREATE TABLE "hint_cursors" (
	"chain" text NOT NULL,
	"pass" text NOT NULL,
	"hinted_at" timestamp with time zone NOT NULL,
	"order_id" uuid NOT NULL,
	CONSTRAINT "hint_cursors_chain_pass_pk" PRIMARY KEY("chain","pass")
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "open_hint_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "orders_open_hints" ON "orders" USING btree ("open_hint_at","id") WHERE open_hint_at is not null;--> statement-breakpoint
-- Reports are followed for a day.
UPDATE "orders" SET "open_hint_at" = "hinted_at"
WHERE "hinted_at" > now() - interval '1 day' AND EXISTS (
	SELECT FROM jsonb_array_elements_text("document" -> 'hints') AS hint
	WHERE NOT EXISTS (
		SELECT FROM jsonb_array_elements("document" -> 'payments') AS paid WHERE lower(paid ->> 'txId') = lower(hint)
	)
);
