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
CREATE UNIQUE INDEX "solana_transactions_signature" ON "solana_transactions" USING btree ("signature");--> statement-breakpoint
CREATE INDEX "solana_transactions_open" ON "solana_transactions" USING btree ("chain","created_at") WHERE status = 'signed';