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
ALTER TABLE "webhook_endpoints" ADD COLUMN "disabled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery" FOREIGN KEY ("event_id","endpoint_id") REFERENCES "public"."webhook_deliveries"("event_id","endpoint_id") ON DELETE cascade ON UPDATE no action;