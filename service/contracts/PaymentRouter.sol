// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title Takes payments in the native currency, each naming its order.
/// @notice A payment after the quote's deadline reverts in the payer's wallet instead of being stranded. What
/// an order was paid can only be refunded or withdrawn under that order's reference, and never more than that.
contract PaymentRouter is Ownable {
    mapping(bytes32 orderRef => uint256 amount) public held;
    mapping(bytes32 payoutId => bool done) public paidOut;
    /// @notice What a payee could not receive; it waits for the payee to claim it.
    mapping(address payee => uint256 amount) public claimable;
    uint256 public totalClaimable;

    /// @dev Enough for the receive hooks of contract wallets, and a bound on what a payee can make a payout cost.
    uint256 private constant RECEIVE_GAS = 100_000;
    uint256 private constant REMAINING_GAS = 60_000;

    event Paid(bytes32 indexed orderRef, address indexed payer, uint256 amount);
    event PaidOut(bytes32 indexed orderRef, bytes32 indexed payoutId, address to, uint256 amount);
    event Credited(address indexed payee, uint256 amount);

    error QuoteExpired(uint256 deadline);
    error NothingPaid();
    error AlreadyPaidOut(bytes32 payoutId);
    error MoreThanHeld(uint256 held);
    error TooLittleGas();

    constructor(address owner) Ownable(owner) {}

    /// @param deadline Unix time in seconds; a block after it reverts.
    function pay(bytes32 orderRef, uint256 deadline) external payable {
        if (block.timestamp > deadline) revert QuoteExpired(deadline);
        if (msg.value == 0) revert NothingPaid();
        held[orderRef] += msg.value;
        emit Paid(orderRef, msg.sender, msg.value);
    }

    /// @notice Sends out what an order was paid: to its payer as a refund, or to the treasury. Once per id.
    /// @dev A payee that refuses, or wants too much gas, is credited instead: it must not be able to stop the
    /// queue of transactions behind this one.
    function payOut(bytes32 orderRef, bytes32 payoutId, address payable to, uint256 amount) external onlyOwner {
        if (paidOut[payoutId]) revert AlreadyPaidOut(payoutId);
        if (amount > held[orderRef]) revert MoreThanHeld(held[orderRef]);
        paidOut[payoutId] = true;
        held[orderRef] -= amount;
        emit PaidOut(orderRef, payoutId, to, amount);
        // Checked, because gas is estimated by what does not revert, and the credit below never does.
        if (gasleft() < RECEIVE_GAS + REMAINING_GAS) revert TooLittleGas();
        bool isReceived;
        // In assembly, because Solidity would copy whatever the payee returns, at our cost.
        assembly ("memory-safe") {
            isReceived := call(RECEIVE_GAS, to, amount, 0, 0, 0, 0)
        }
        if (!isReceived) {
            claimable[to] += amount;
            totalClaimable += amount;
            emit Credited(to, amount);
        }
    }

    /// @notice Sends the caller what it could not receive before.
    function claim() external {
        uint256 amount = claimable[msg.sender];
        claimable[msg.sender] = 0;
        totalClaimable -= amount;
        Address.sendValue(payable(msg.sender), amount);
    }
}
