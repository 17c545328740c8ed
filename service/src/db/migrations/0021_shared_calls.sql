CREATE TABLE "shared_calls" (
	"key" text PRIMARY KEY NOT NULL,
	"transaction_key" text NOT NULL,
	"calldata" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "shared_calls_transaction" ON "shared_calls" USING btree ("transaction_key");--> statement-breakpoint
CREATE INDEX "shared_calls_attempts" ON "shared_calls" USING btree (split_part("key", '#', 1));