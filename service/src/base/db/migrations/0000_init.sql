CREATE TABLE "actions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"action" text NOT NULL,
	"status" text NOT NULL,
	"data" jsonb NOT NULL,
	"resource" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"secret_hash" text NOT NULL,
	"scopes" jsonb NOT NULL,
	"origins" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_secret_hash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "chain_cursors" (
	"chain" text PRIMARY KEY NOT NULL,
	"block_number" bigint,
	"block_hash" text,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"next_nonce" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_refusals" (
	"key" text PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"reason" text NOT NULL,
	"calldata" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_transactions" (
	"key" text PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"sender" text NOT NULL,
	"nonce" integer NOT NULL,
	"signed_transaction" text NOT NULL,
	"tx_id" text NOT NULL,
	"other_tx_ids" jsonb,
	"status" text NOT NULL,
	"block_number" bigint,
	"revert_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "collections" (
	"project_id" uuid NOT NULL,
	"id" text NOT NULL,
	"chain" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"image_url" text NOT NULL,
	"symbol" text NOT NULL,
	"fungibility" text NOT NULL,
	"is_transferable" boolean NOT NULL,
	"is_subscription" boolean DEFAULT false NOT NULL,
	"supply_limit" integer,
	"price" text,
	"price_currency" text,
	"payment_recipient" text,
	"contract_uri" text,
	"allocated_count" integer DEFAULT 0 NOT NULL,
	"next_token_id" bigint NOT NULL,
	"contract_tx_id" text,
	"revision" integer DEFAULT 0 NOT NULL,
	"chain_revision" integer DEFAULT 0 NOT NULL,
	"is_gathering" boolean DEFAULT false NOT NULL,
	"request_hash" text,
	"action_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"royalty_basis_points" integer DEFAULT 0 NOT NULL,
	"requires" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"payment_currencies" text[],
	CONSTRAINT "collections_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"cid" text PRIMARY KEY NOT NULL,
	"content_type" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"pinned_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"body_hash" text NOT NULL,
	"claim" uuid NOT NULL,
	"lease_expires_at" timestamp with time zone NOT NULL,
	"status" integer,
	"reply" "bytea",
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"data" jsonb NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"start_after" timestamp with time zone DEFAULT now() NOT NULL,
	"queued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"starts" integer DEFAULT 0 NOT NULL,
	"claim" uuid,
	"kept_until" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"recipient" text NOT NULL,
	"locale" text NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "master_key_checks" (
	"key_id" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nfts" (
	"project_id" uuid NOT NULL,
	"collection_id" text NOT NULL,
	"id" text NOT NULL,
	"status" text NOT NULL,
	"token_id" bigint NOT NULL,
	"template_id" uuid,
	"recipient" text,
	"owner" text,
	"metadata" jsonb NOT NULL,
	"uri" text NOT NULL,
	"locale" text NOT NULL,
	"has_notification" boolean NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revision" integer DEFAULT 0 NOT NULL,
	"renewal_revision" integer DEFAULT 0 NOT NULL,
	"chain_revision" integer DEFAULT 0 NOT NULL,
	"batch_id" uuid,
	"tx_id" text,
	"order_id" uuid,
	"request_hash" text,
	"action_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"burn_action_id" uuid,
	CONSTRAINT "nfts_project_id_collection_id_id_pk" PRIMARY KEY("project_id","collection_id","id")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"client_secret_hash" text NOT NULL,
	"phase" text NOT NULL,
	"chain" text NOT NULL,
	"quote_expires_at" timestamp with time zone,
	"hinted_at" timestamp with time zone,
	"revision" integer DEFAULT 0 NOT NULL,
	"document" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "orders_client_secret_hash_unique" UNIQUE("client_secret_hash")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"tx_id" text NOT NULL,
	"log_index" integer NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"mined_at" timestamp with time zone NOT NULL,
	"payer" text NOT NULL,
	"currency" text NOT NULL,
	"units" text NOT NULL,
	"target" text NOT NULL,
	"status" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_targets" (
	"chain" text NOT NULL,
	"target" text NOT NULL,
	"order_id" uuid NOT NULL,
	"watched_until" timestamp with time zone NOT NULL,
	CONSTRAINT "payment_targets_chain_target_pk" PRIMARY KEY("chain","target")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"display_name" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"payment_id" text NOT NULL,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"units" text NOT NULL,
	"recipient" text NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"tx_id" text,
	"attempt" integer DEFAULT 1 NOT NULL,
	"failure" text,
	"created_at" timestamp with time zone NOT NULL,
	"released_by" text,
	"released_at" timestamp with time zone,
	"sent_to" text,
	"counted_as" text
);
--> statement-breakpoint
CREATE TABLE "solana_transactions" (
	"key" text PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"signed_transaction" text NOT NULL,
	"signature" text NOT NULL,
	"last_valid_block_height" bigint NOT NULL,
	"status" text NOT NULL,
	"slot" bigint,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sponsored_gas" (
	"key" text PRIMARY KEY NOT NULL,
	"chain" text NOT NULL,
	"account" text NOT NULL,
	"given_wei" numeric NOT NULL,
	"spent_wei" numeric NOT NULL
);
--> statement-breakpoint
CREATE TABLE "templates" (
	"id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"collection_id" text NOT NULL,
	"metadata" jsonb NOT NULL,
	"token_id" bigint,
	"supply_limit" integer,
	"allocated_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"request_hash" text,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "templates_project_id_collection_id_id_pk" PRIMARY KEY("project_id","collection_id","id")
);
--> statement-breakpoint
CREATE TABLE "token_cursors" (
	"chain" text NOT NULL,
	"contract" text NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" text,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "token_cursors_chain_contract_pk" PRIMARY KEY("chain","contract")
);
--> statement-breakpoint
CREATE TABLE "token_holdings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "token_holdings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain" text NOT NULL,
	"contract" text NOT NULL,
	"token_id" text NOT NULL,
	"holder" text NOT NULL,
	"left_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "unattributed_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"units" text NOT NULL,
	"recipient" text NOT NULL,
	"status" text NOT NULL,
	"tx_id" text,
	"failure" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_lanes" (
	"wallet_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"next_sequence" bigint NOT NULL,
	"next_nonce" bigint NOT NULL,
	CONSTRAINT "wallet_lanes_wallet_id_chain_pk" PRIMARY KEY("wallet_id","chain")
);
--> statement-breakpoint
CREATE TABLE "wallets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"type" text NOT NULL,
	"address" text NOT NULL,
	"user_locator" text,
	"signer_type" text NOT NULL,
	"admin_signer" jsonb NOT NULL,
	"encrypted_key" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wallet_transactions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"wallet_id" uuid NOT NULL,
	"chain" text NOT NULL,
	"sequence" bigint NOT NULL,
	"status" text NOT NULL,
	"params" jsonb NOT NULL,
	"calls" jsonb NOT NULL,
	"operation" jsonb,
	"operation_hash" text,
	"signer" text NOT NULL,
	"submitted" jsonb,
	"bundle_id" uuid,
	"bundle_index" integer,
	"gap_seen_at" timestamp with time zone,
	"tx_id" text,
	"error" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"event_id" text NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"last_status" integer,
	"last_failure" text,
	"next_attempt_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_deliveries_event_id_endpoint_id_pk" PRIMARY KEY("event_id","endpoint_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"url" text NOT NULL,
	"event_types" jsonb NOT NULL,
	"secrets" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nfts" ADD CONSTRAINT "nfts_project_id_collection_id_collections_project_id_id_fk" FOREIGN KEY ("project_id","collection_id") REFERENCES "public"."collections"("project_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nfts" ADD CONSTRAINT "nfts_template_fk" FOREIGN KEY ("project_id","collection_id","template_id") REFERENCES "public"."templates"("project_id","collection_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_targets" ADD CONSTRAINT "payment_targets_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_project_id_collection_id_collections_project_id_id_fk" FOREIGN KEY ("project_id","collection_id") REFERENCES "public"."collections"("project_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unattributed_transfers" ADD CONSTRAINT "unattributed_transfers_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_lanes" ADD CONSTRAINT "wallet_lanes_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_transactions" ADD CONSTRAINT "wallet_transactions_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_transactions" ADD CONSTRAINT "wallet_transactions_wallet_id_wallets_id_fk" FOREIGN KEY ("wallet_id") REFERENCES "public"."wallets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_webhook_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "actions_project" ON "actions" USING btree ("project_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "chain_transactions_nonce" ON "chain_transactions" USING btree ("chain","sender","nonce");--> statement-breakpoint
CREATE INDEX "chain_transactions_tx_id" ON "chain_transactions" USING btree ("tx_id");--> statement-breakpoint
CREATE INDEX "chain_transactions_open" ON "chain_transactions" USING btree ("chain","created_at") WHERE status = 'signed';--> statement-breakpoint
CREATE INDEX "chain_transactions_ended" ON "chain_transactions" USING btree ("chain","ended_at");--> statement-breakpoint
CREATE INDEX "chain_transactions_attempts" ON "chain_transactions" USING btree (split_part("key", '#', 1));--> statement-breakpoint
CREATE INDEX "collections_newest" ON "collections" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("name","start_after");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_claim" ON "jobs" USING btree ("claim") WHERE claim is not null;--> statement-breakpoint
CREATE INDEX "mails_newest" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "nfts_newest" ON "nfts" USING btree ("project_id","collection_id","created_at","id");--> statement-breakpoint
CREATE INDEX "nfts_waiting" ON "nfts" USING btree ("project_id","collection_id","status","batch_id");--> statement-breakpoint
CREATE INDEX "nfts_batch" ON "nfts" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "nfts_action" ON "nfts" USING btree ("action_id");--> statement-breakpoint
CREATE INDEX "nfts_burn" ON "nfts" USING btree ("burn_action_id") WHERE burn_action_id is not null;--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_phase" ON "orders" USING btree ("project_id","phase");--> statement-breakpoint
CREATE INDEX "orders_open" ON "orders" USING btree ("chain","phase");--> statement-breakpoint
CREATE INDEX "orders_hinted" ON "orders" USING btree ("hinted_at");--> statement-breakpoint
CREATE INDEX "payments_status" ON "payments" USING btree ("status","chain");--> statement-breakpoint
CREATE INDEX "payments_order" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payment_targets_watched" ON "payment_targets" USING btree ("watched_until");--> statement-breakpoint
CREATE INDEX "payment_targets_order" ON "payment_targets" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_released" ON "refunds" USING btree ("released_at");--> statement-breakpoint
CREATE UNIQUE INDEX "solana_transactions_signature" ON "solana_transactions" USING btree ("signature");--> statement-breakpoint
CREATE INDEX "solana_transactions_open" ON "solana_transactions" USING btree ("chain","created_at") WHERE status = 'signed';--> statement-breakpoint
CREATE INDEX "sponsored_gas_account" ON "sponsored_gas" USING btree ("chain","account");--> statement-breakpoint
CREATE INDEX "templates_newest" ON "templates" USING btree ("project_id","collection_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "templates_token_id" ON "templates" USING btree ("project_id","collection_id","token_id");--> statement-breakpoint
CREATE UNIQUE INDEX "token_holdings_token" ON "token_holdings" USING btree ("chain","contract","token_id","holder");--> statement-breakpoint
CREATE INDEX "token_holdings_holder" ON "token_holdings" USING btree ("chain","holder","id");--> statement-breakpoint
CREATE INDEX "unattributed_transfers_order" ON "unattributed_transfers" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "wallet_lanes_chain" ON "wallet_lanes" USING btree ("chain");--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_user" ON "wallets" USING btree ("project_id","user_locator","type");--> statement-breakpoint
CREATE UNIQUE INDEX "wallets_address" ON "wallets" USING btree ("project_id","address");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_transactions_sequence" ON "wallet_transactions" USING btree ("wallet_id","chain","sequence");--> statement-breakpoint
CREATE INDEX "wallet_transactions_list" ON "wallet_transactions" USING btree ("wallet_id","created_at","id");--> statement-breakpoint
CREATE INDEX "wallet_transactions_pending" ON "wallet_transactions" USING btree ("wallet_id","chain","sequence") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "wallet_transactions_hash" ON "wallet_transactions" USING btree ("operation_hash");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id","status");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_project" ON "webhook_endpoints" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "webhook_events_project" ON "webhook_events" USING btree ("project_id","created_at");--> statement-breakpoint
-- Uncompressed, so that a range of a file is read without the rest of it.
ALTER TABLE "files" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
