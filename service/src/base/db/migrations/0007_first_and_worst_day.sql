CREATE TABLE "adopted_writes" (
	"chain" text NOT NULL,
	"reference" text NOT NULL,
	"kind" text NOT NULL,
	"tx_id" text NOT NULL,
	"order_reference" text,
	"currency" text,
	"units" text,
	"recipient" text,
	"contract_address" text,
	"token_id" bigint,
	CONSTRAINT "adopted_writes_chain_reference_pk" PRIMARY KEY("chain","reference")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "maker_id" uuid;--> statement-breakpoint
ALTER TABLE "console_sessions" ADD COLUMN "confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "console_tokens" ADD COLUMN "inviter_id" uuid;--> statement-breakpoint
ALTER TABLE "console_tokens" ADD COLUMN "network_hash" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "price_worth" bigint;--> statement-breakpoint
CREATE INDEX "adopted_writes_order" ON "adopted_writes" USING btree ("chain","order_reference");--> statement-breakpoint
ALTER TABLE "console_tokens" ADD CONSTRAINT "console_tokens_inviter_id_console_accounts_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."console_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_addressed" ON "orders" USING btree ("project_id","created_at") WHERE document #> '{recipient,physicalAddress}' is not null;