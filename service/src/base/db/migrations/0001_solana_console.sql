CREATE TABLE "allow_list_addresses" (
	"list_id" uuid NOT NULL,
	"address" text NOT NULL,
	CONSTRAINT "allow_list_addresses_list_id_address_pk" PRIMARY KEY("list_id","address")
);
--> statement-breakpoint
CREATE TABLE "hint_cursors" (
	"chain" text NOT NULL,
	"pass" text NOT NULL,
	"hinted_at" timestamp with time zone NOT NULL,
	"order_id" uuid NOT NULL,
	CONSTRAINT "hint_cursors_chain_pass_pk" PRIMARY KEY("chain","pass")
);
--> statement-breakpoint
CREATE TABLE "shared_calls" (
	"key" text PRIMARY KEY NOT NULL,
	"transaction_key" text NOT NULL,
	"calldata" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"account_id" uuid,
	"actor" text NOT NULL,
	"operation" text NOT NULL,
	"resource" text NOT NULL,
	"outcome" text NOT NULL,
	"request_id" text,
	"ip_address" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"email" text,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "console_accounts_address" UNIQUE("project_id","email")
);
--> statement-breakpoint
CREATE TABLE "console_passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "console_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"account_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	CONSTRAINT "console_sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "console_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"project_id" uuid,
	"role" text,
	"email" text,
	"account_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" uuid NOT NULL,
	"held_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_counts" (
	"id" integer PRIMARY KEY NOT NULL,
	"counted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"received" numeric NOT NULL,
	"delivered" numeric NOT NULL,
	"open" numeric NOT NULL,
	"refunded" numeric NOT NULL,
	"claimable" numeric NOT NULL,
	"owed" numeric NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_totals" (
	"project_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"received" numeric NOT NULL,
	"delivered" numeric NOT NULL,
	"open" numeric NOT NULL,
	"refunded" numeric NOT NULL,
	"claimable" numeric NOT NULL,
	"owed" numeric NOT NULL,
	CONSTRAINT "ledger_totals_project_id_chain_currency_pk" PRIMARY KEY("project_id","chain","currency")
);
--> statement-breakpoint
CREATE TABLE "sale_counts" (
	"project_id" uuid NOT NULL,
	"collection_id" text NOT NULL,
	"key" text NOT NULL,
	"allocated_count" integer DEFAULT 0 NOT NULL,
	"reserved_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sale_counts_project_id_collection_id_key_pk" PRIMARY KEY("project_id","collection_id","key")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"event_id" text NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"round" integer NOT NULL,
	"attempt" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"status" integer,
	"failure" text,
	"duration_ms" integer NOT NULL,
	CONSTRAINT "webhook_attempts_event_id_endpoint_id_round_attempt_pk" PRIMARY KEY("event_id","endpoint_id","round","attempt")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "chain_cursors" ADD COLUMN "late_block" bigint;--> statement-breakpoint
ALTER TABLE "chain_cursors" ADD COLUMN "late_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "reserved_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "sale" jsonb;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "nfts" ADD COLUMN "is_compressed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "nfts" ADD COLUMN "mint_hash" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "open_hint_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "terms" text[];--> statement-breakpoint
ALTER TABLE "payment_targets" ADD COLUMN "live_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "source" text DEFAULT 'order' NOT NULL;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "reserved_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "wallet_transactions" ADD COLUMN "message" jsonb;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "disabled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "order_id" uuid;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_accounts" ADD CONSTRAINT "console_accounts_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_passkeys" ADD CONSTRAINT "console_passkeys_account_id_console_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."console_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_sessions" ADD CONSTRAINT "console_sessions_account_id_console_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."console_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_tokens" ADD CONSTRAINT "console_tokens_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console_tokens" ADD CONSTRAINT "console_tokens_account_id_console_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."console_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_totals" ADD CONSTRAINT "ledger_totals_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sale_counts" ADD CONSTRAINT "sale_counts_collection" FOREIGN KEY ("project_id","collection_id") REFERENCES "public"."collections"("project_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery" FOREIGN KEY ("event_id","endpoint_id") REFERENCES "public"."webhook_deliveries"("event_id","endpoint_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shared_calls_transaction" ON "shared_calls" USING btree ("transaction_key");--> statement-breakpoint
CREATE INDEX "shared_calls_attempts" ON "shared_calls" USING btree (split_part("key", '#', 1));--> statement-breakpoint
CREATE INDEX "audit_entries_newest" ON "audit_entries" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "console_accounts_email" ON "console_accounts" USING btree ("email");--> statement-breakpoint
CREATE INDEX "console_passkeys_account" ON "console_passkeys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "console_sessions_account" ON "console_sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "console_sessions_expiring" ON "console_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "console_tokens_account" ON "console_tokens" USING btree ("account_id","kind");--> statement-breakpoint
CREATE INDEX "console_tokens_expiring" ON "console_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mails_order" ON "mails" USING btree ("order_id") WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX "orders_phase_newest" ON "orders" USING btree ("project_id","phase","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_terms" ON "orders" USING gin ("terms");--> statement-breakpoint
CREATE INDEX "orders_without_terms" ON "orders" USING btree ("id") WHERE terms is null;--> statement-breakpoint
CREATE INDEX "orders_unfinished" ON "orders" USING btree ("phase") WHERE phase in ('delivery', 'payment');--> statement-breakpoint
CREATE INDEX "orders_expiring" ON "orders" USING btree ("chain","quote_expires_at") WHERE phase = 'payment';--> statement-breakpoint
CREATE INDEX "orders_open_hints" ON "orders" USING btree ("open_hint_at","id") WHERE open_hint_at is not null;--> statement-breakpoint
CREATE INDEX "payments_final" ON "payments" USING btree ("chain","block_number") WHERE status = 'confirmed';--> statement-breakpoint
CREATE INDEX "payment_targets_live" ON "payment_targets" USING btree ("live_until");--> statement-breakpoint
CREATE INDEX "refunds_waiting" ON "refunds" USING btree ("created_at") WHERE status in ('held', 'failed', 'credited');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_updated" ON "webhook_deliveries" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "webhook_events_order" ON "webhook_events" USING btree ("order_id") WHERE order_id is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_created" ON "webhook_events" USING btree ("created_at");--> statement-breakpoint
ALTER TABLE "rate_limits" SET UNLOGGED;--> statement-breakpoint
-- Reports are followed for a day.
UPDATE "orders" SET "open_hint_at" = "hinted_at"
WHERE "hinted_at" > now() - interval '1 day' AND EXISTS (
	SELECT FROM jsonb_array_elements_text("document" -> 'hints') AS hint
	WHERE NOT EXISTS (
		SELECT FROM jsonb_array_elements("document" -> 'payments') AS paid WHERE lower(paid ->> 'txId') = lower(hint)
	)
);--> statement-breakpoint
-- Without payments there is nothing to count.
INSERT INTO "ledger_counts" ("id", "counted_at") SELECT 1, now() WHERE NOT EXISTS (SELECT FROM "payments");
