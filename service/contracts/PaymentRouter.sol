// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";

/// @title Takes payments in the native currency, each naming its order.
/// @notice A payment after the quote's deadline reverts in the payer's wallet instead of being stranded. What
/// an order was paid can only be refunded or withdrawn under that order's reference, and never more than that.
/// @dev {multicall} takes no coins, so a payment cannot be counted twice. Every call keeps its sender.
contract PaymentRouter is Ownable, Multicall {
    mapping(bytes32 orderRef => uint256 amount) public held;
    mapping(bytes32 payoutId => bool done) public paidOut;
    /// @notice What a payee could not receive, by the payout that was meant to bring it.
    mapping(bytes32 payoutId => uint256 amount) public credits;
    uint256 public totalCredits;
    /// @dev The payouts a payee was credited for; one whose credit has left stays until the next claim.
    mapping(address payee => bytes32[] payoutIds) private _creditedTo;

    /// @dev Enough for the receive hooks of contract wallets, and a bound on what a payee can make a payout cost.
    uint256 private constant RECEIVE_GAS = 100_000;
    uint256 private constant REMAINING_GAS = 120_000;
    /// @dev Bounds the cost of one claim.
    uint256 private constant CREDITS_PER_CLAIM = 50;

    event Paid(bytes32 indexed orderRef, address indexed payer, uint256 amount);
    event PaidOut(bytes32 indexed orderRef, bytes32 indexed payoutId, address to, uint256 amount);
    event Credited(bytes32 indexed payoutId, address indexed payee, uint256 amount);
    event CreditPaid(bytes32 indexed payoutId, address indexed to, uint256 amount);

    error QuoteExpired(uint256 deadline);
    error NothingPaid();
    error AlreadyPaidOut(bytes32 payoutId);
    error MoreThanHeld(uint256 held);
    error TooLittleGas();
    error NothingCredited();

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
            credits[payoutId] = amount;
            totalCredits += amount;
            _creditedTo[to].push(payoutId);
            emit Credited(payoutId, to, amount);
        }
    }

    /// @notice What a payee may claim.
    function claimable(address payee) external view returns (uint256 amount) {
        bytes32[] storage payoutIds = _creditedTo[payee];
        for (uint256 at = 0; at < payoutIds.length; ++at) amount += credits[payoutIds[at]];
    }

    /// @notice Sends what the caller is credited with to an address that can receive it. A caller with more than
    /// 50 credits calls again for the rest.
    function claimTo(address payable to) external {
        bytes32[] storage payoutIds = _creditedTo[msg.sender];
        if (payoutIds.length == 0) revert NothingCredited();
        uint256 amount = 0;
        for (uint256 count = 0; count < CREDITS_PER_CLAIM && payoutIds.length > 0; ++count) {
            amount += _closeCredit(payoutIds[payoutIds.length - 1], to);
            payoutIds.pop();
        }
        Address.sendValue(to, amount);
    }

    /// @notice Sends one credit to another address, for a payee that can neither receive coins nor call
    /// {claimTo}. Once: a credit that was claimed cannot be sent, nor the other way round.
    function payOutCredit(bytes32 payoutId, address payable to) external onlyOwner {
        uint256 amount = _closeCredit(payoutId, to);
        if (amount == 0) revert NothingCredited();
        Address.sendValue(to, amount);
    }

    /// @dev Closed before the coins leave, so that a receiver that calls back finds nothing.
    function _closeCredit(bytes32 payoutId, address to) private returns (uint256 amount) {
        amount = credits[payoutId];
        if (amount == 0) return 0;
        delete credits[payoutId];
        totalCredits -= amount;
        emit CreditPaid(payoutId, to, amount);
    }
}
