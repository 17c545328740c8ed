// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A price feed with Chainlink's interface, for development chains: everybody sets its answer.
contract TestRateFeed {
    uint8 public decimals;
    uint80 private roundId;
    int256 private answer;
    uint256 private updatedAt;

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    function set(int256 answer_, uint256 updatedAt_) external {
        roundId++;
        answer = answer_;
        updatedAt = updatedAt_;
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (roundId, answer, updatedAt, updatedAt, roundId);
    }
}
