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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
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
	"supply_limit" integer,
	"price" text,
	"price_currency" text,
	"allocated_count" integer DEFAULT 0 NOT NULL,
	"next_token_id" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "collections_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "custodial_wallets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"user_locator" text NOT NULL,
	"family" text NOT NULL,
	"address" text NOT NULL,
	"encrypted_key" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "files" (
	"cid" text PRIMARY KEY NOT NULL,
	"content_type" text NOT NULL,
	"bytes" "bytea" NOT NULL,
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
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custodial_wallets" ADD CONSTRAINT "custodial_wallets_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_targets" ADD CONSTRAINT "payment_targets_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "chain_transactions_nonce" ON "chain_transactions" USING btree ("chain","sender","nonce");--> statement-breakpoint
CREATE INDEX "chain_transactions_tx_id" ON "chain_transactions" USING btree ("tx_id");--> statement-breakpoint
CREATE INDEX "chain_transactions_attempts" ON "chain_transactions" USING btree (split_part("key", '#', 1));--> statement-breakpoint
CREATE UNIQUE INDEX "custodial_wallets_user" ON "custodial_wallets" USING btree ("project_id","user_locator","family");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "orders_newest" ON "orders" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_open" ON "orders" USING btree ("chain","phase");--> statement-breakpoint
CREATE INDEX "orders_hinted" ON "orders" USING btree ("hinted_at");--> statement-breakpoint
CREATE INDEX "payments_status" ON "payments" USING btree ("status","chain");--> statement-breakpoint
CREATE INDEX "payments_order" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payment_targets_watched" ON "payment_targets" USING btree ("watched_until");--> statement-breakpoint
CREATE INDEX "payment_targets_order" ON "payment_targets" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id");